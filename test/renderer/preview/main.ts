import { fakeClient, type Scenario } from '../fake-client'

// The real renderer over invented data, in a plain browser: ?scenario=full|empty|first-run|failing|loading
const scenario = (new URLSearchParams(location.search).get('scenario') ?? 'full') as Scenario
Object.assign(window, { fovea: fakeClient(scenario) })
await import('../../../src/renderer/main')
