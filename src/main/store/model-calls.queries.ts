import type { ReadDb, WriteDb } from './db'

// The ledger of calls to language models.

export interface CallCost {
  promptTokens: number
  answerTokens: number
}

/** @returns the call's id */
export function beginCall(
  db: WriteDb,
  call: CallCost & { purpose: string; model: string; subjects: number; startedAt: number },
): number {
  return db.run(
    `INSERT INTO model_calls (purpose, model, subjects, started_at, prompt_tokens, answer_tokens)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [call.purpose, call.model, call.subjects, call.startedAt, call.promptTokens, call.answerTokens],
  ).lastInsertRowid
}

export function endCall(
  db: WriteDb,
  id: number,
  end: CallCost & {
    tries: number
    ms: number
    endedAt: number
    outcome: 'answered' | 'failed'
    reason: string | null
  },
): void {
  db.run(
    `UPDATE model_calls SET prompt_tokens = ?, answer_tokens = ?, tries = ?, ms = ?, ended_at = ?, outcome = ?,
       reason = ? WHERE id = ?`,
    [end.promptTokens, end.answerTokens, end.tries, end.ms, end.endedAt, end.outcome, end.reason, id],
  )
}

/** Calls whose process ended before they did. What they had in hand waits again: it is no fault of the text. */
export function interruptOpenCalls(db: WriteDb, now: number): number {
  db.run(
    `UPDATE model_queue SET call_id = NULL
     WHERE call_id IN (SELECT id FROM model_calls WHERE outcome = 'open')`,
  )
  return db.run(`UPDATE model_calls SET outcome = 'interrupted', ended_at = ? WHERE outcome = 'open'`, [now])
    .changes
}

/** Whether a call is under way. */
export const anyOpen = (db: ReadDb): boolean =>
  db.get("SELECT 1 AS one FROM model_calls WHERE outcome = 'open' LIMIT 1") !== undefined

/** How many of a model's last calls failed one after the other, all for one of these reasons; counted up to `most`. */
export function failedInARow(
  db: ReadDb,
  model: string,
  { reasons, most }: { reasons: readonly string[]; most: number },
): number {
  const last = db.all<{ failed: number }>(
    `SELECT outcome = 'failed' AND reason IN (SELECT value FROM json_each(?)) AS failed
     FROM model_calls WHERE model = ? ORDER BY id DESC LIMIT ?`,
    [JSON.stringify(reasons), model, most],
  )
  const end = last.findIndex(({ failed }) => failed === 0)
  return end < 0 ? last.length : end
}

export interface Spent extends CallCost {
  calls: number
  /** Times the model was asked: a call whose first answer was of no use asks twice. */
  requests: number
  failed: number
  ms: number
}

/** What calls that began at or after `since` took; open ones with what they reserved. */
export function spentSince(db: ReadDb, since: number): Spent {
  const row = db.get<Spent>(
    `SELECT count(*) AS calls, coalesce(sum(outcome IN ('failed', 'interrupted')), 0) AS failed,
       coalesce(sum(CASE WHEN outcome IN ('open', 'interrupted') THEN max(tries, 1) ELSE tries END), 0) AS requests,
       coalesce(sum(prompt_tokens), 0) AS promptTokens, coalesce(sum(answer_tokens), 0) AS answerTokens,
       coalesce(sum(ms), 0) AS ms FROM model_calls WHERE started_at >= ?`,
    [since],
  )
  return row ?? { calls: 0, requests: 0, failed: 0, promptTokens: 0, answerTokens: 0, ms: 0 }
}

/** Tokens of one settled subject, prompt and answer, over the last calls that were answered; null before the first. */
export function tokensEach(db: ReadDb): number | null {
  const row = db.get<{ tokens: number | null }>(
    `SELECT CAST(sum(prompt_tokens + answer_tokens) AS REAL) / sum(subjects) AS tokens
     FROM (SELECT * FROM model_calls WHERE outcome = 'answered' ORDER BY id DESC LIMIT 50)`,
  )
  return row?.tokens ?? null
}

export function readRatio(db: ReadDb, model: string): { ratio: number; seen: number } | undefined {
  return db.get('SELECT token_ratio AS ratio, token_seen AS seen FROM language_models WHERE model = ?', [
    model,
  ])
}

export function writeRatio(
  db: WriteDb,
  model: string,
  { ratio, seen }: { ratio: number; seen: number },
): void {
  db.run(
    `INSERT INTO language_models (model, token_ratio, token_seen) VALUES (?, ?, ?)
     ON CONFLICT (model) DO UPDATE SET token_ratio = excluded.token_ratio, token_seen = excluded.token_seen`,
    [model, ratio, seen],
  )
}
