export { checkIntegrity, type IntegrityReport, sqliteVersion } from './check'
export type { ReadDb, SqlParams, SqlValue, WriteDb } from './db'
export * as itemSql from './item.queries'
export { type PackedText, packText, unpackText } from './item-text'
export { migrate, schemaVersion } from './migrate'
export { migrations } from './migrations'
export type { Migration } from './migrations/migration'
export { backupTo, openRead, openWrite } from './open'

export * as settingsSql from './settings.queries'
export * as sharingSql from './sharing.queries'
export * as timelineSql from './timeline.queries'

export * as vectorSql from './vectors.queries'
