export { Manifest } from './bundle'
export { type ExportPorts, type ExportReport, type ExportRequest, exportBundle } from './export'
