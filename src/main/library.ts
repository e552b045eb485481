// What the benchmarks drive: the engine, and nothing that needs a window.
export { createEngine, type Engine } from './engine'
