export { Manifest } from './bundle'
export { type ErasureCounts, type ErasureReport, eraseSource, resumeErasures } from './erasure'
export { type ExportPorts, type ExportReport, type ExportRequest, exportBundle } from './export'
