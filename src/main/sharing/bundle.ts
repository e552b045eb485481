import { z } from 'zod'
import { Handle, ItemKind, Millis, Rung } from '../../shared/domain'

// A bundle is JSON Lines: the manifest, then one line for each arc and item, then the seal. A person can read it with
// any editor; `sha256` of everything before the last line shows whether it is whole.

export const BUNDLE_FORMAT = 'fovea-bundle'
export const BUNDLE_VERSION = 1

export const Manifest = z.object({
  format: z.literal(BUNDLE_FORMAT),
  version: z.literal(BUNDLE_VERSION),
  id: z.string(),
  createdAt: Millis,
  ceiling: Rung,
  filter: z.object({ project: z.string().nullable(), kind: ItemKind.nullable(), since: Millis.nullable() }),
  note: z.string(),
})
export type Manifest = z.infer<typeof Manifest>

const Rungs = z.partialRecord(Rung, z.string())

export const BundleArc = z.object({
  type: z.literal('arc'),
  id: z.string(),
  session: z.string(),
  project: z.string().nullable(),
  startedAt: Millis,
  endedAt: Millis,
  rungs: Rungs,
})
export type BundleArc = z.infer<typeof BundleArc>

export const BundleItem = z.object({
  type: z.literal('item'),
  handle: Handle,
  kind: ItemKind,
  ts: Millis,
  session: z.string(),
  project: z.string().nullable(),
  arc: z.string().nullable(),
  rungs: Rungs,
  labels: z.array(z.string()),
})
export type BundleItem = z.infer<typeof BundleItem>

export const Seal = z.object({
  type: z.literal('seal'),
  items: z.number().int(),
  arcs: z.number().int(),
  sha256: z.string(),
})

/** Said in every bundle, because a copy cannot be called back. */
export const COPY_NOTE =
  'This file is a copy. It cannot be revoked, and reading it is not logged. It holds no detail finer than its ceiling.'
