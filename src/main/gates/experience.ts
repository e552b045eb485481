import type { GateState } from '../../shared/domain'
import {
  type AttentionMap,
  bagVector,
  type Case,
  type Experience,
  lexicalTokens,
  salienceText,
  type Vec,
  type VectorSpace,
} from '../proxy'
import { proxySql, type ReadDb, type WriteDb } from '../store'

const BATCH = 32

/** All the proxy remembers, in one vector space. */
export function loadExperience(db: ReadDb, space: VectorSpace, states: readonly GateState[]): Experience {
  return {
    memory: proxySql.allChunks(db).map((chunk) => toCase(chunk, space)),
    attention: new Map(states.map((state) => [state, loadAttention(db, state)])),
    now: proxySql.lastInteraction(db),
  }
}

export function loadAttention(db: ReadDb, state: GateState): AttentionMap {
  const counts = proxySql
    .attentionOf(db, state)
    .map(
      ({ phrase, present, salient, not_approved, named }) =>
        [phrase, { present, salient, notApproved: not_approved, named }] as const,
    )
  return { counts: new Map(counts), ...proxySql.stateTotals(db, state) }
}

/**
 * Brings every chunk's vectors into a semantic space: what was remembered without a model, or with another one, is
 * embedded now. In the lexical space there is nothing to do; its vectors come from the texts.
 */
export async function ensureVectors(db: WriteDb, space: VectorSpace): Promise<void> {
  if (!space.semantic) return
  for (;;) {
    const missing = proxySql.chunksToEmbed(db, space.name, BATCH)
    if (missing.length === 0) return
    for (const chunk of missing) {
      const salience = salienceText(chunk.situation, chunk.salience)
      const [situation, stimulus, response, salient] = await space.short([
        chunk.situation,
        chunk.stimulus,
        chunk.response,
        salience,
      ])
      const artifact = await space.artifact(chunk.artifact ?? '')
      proxySql.setVectors(db, chunk.id, {
        vector_model: space.name,
        v_situation: toBlob(situation),
        v_artifact: toBlob(artifact),
        v_stimulus: toBlob(stimulus),
        v_response: toBlob(response),
        v_salience: toBlob(salient),
      })
    }
  }
}

function toCase(chunk: proxySql.RememberedRow, space: VectorSpace): Case {
  const terms: string[] = JSON.parse(chunk.terms)
  return {
    id: chunk.id,
    title: chunk.title ?? '',
    state: chunk.state as GateState,
    outcome: chunk.outcome,
    answeredBy: chunk.answered_by,
    traces: JSON.parse(chunk.traces),
    vectors: space.semantic ? storedVectors(chunk) : lexicalVectors(chunk, terms),
    features: new Set<string>(JSON.parse(chunk.features)),
    terms: new Set(terms),
    words: chunk.response,
    salient: JSON.parse(chunk.percepts),
  }
}

function storedVectors(chunk: proxySql.ChunkRow): Case['vectors'] {
  return {
    situation: fromBlob(chunk.v_situation),
    artifact: fromBlob(chunk.v_artifact),
    stimulus: fromBlob(chunk.v_stimulus),
    response: fromBlob(chunk.v_response),
    salience: chunk.v_salience ? fromBlob(chunk.v_salience) : null,
  }
}

function lexicalVectors(chunk: proxySql.ChunkRow, terms: readonly string[]): Case['vectors'] {
  const of = (text: string): Vec => bagVector(lexicalTokens(text))
  return {
    situation: of(chunk.situation),
    artifact: bagVector(terms),
    stimulus: of(chunk.stimulus),
    response: of(chunk.response),
    salience: chunk.salience === '' ? null : of(salienceText(chunk.situation, chunk.salience)),
  }
}

/** Little-endian float32; nothing for a vector without direction. */
export function toBlob(vector: Vec | null | undefined): Uint8Array | null {
  if (!vector || vector.length === 0) return null
  return new Uint8Array(vector.buffer.slice(vector.byteOffset, vector.byteOffset + vector.byteLength))
}

function fromBlob(blob: Uint8Array | null): Vec {
  if (!blob) return new Float32Array()
  return new Float32Array(blob.buffer.slice(blob.byteOffset, blob.byteOffset + blob.byteLength))
}
