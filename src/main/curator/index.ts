export { type ArcWork, updateArcs } from './arcs'
