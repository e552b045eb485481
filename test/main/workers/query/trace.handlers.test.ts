import { describe, expect, test } from 'vitest'
import { newReceiptId } from '../../../../src/main/hydration'
import { noKey } from '../../../../src/main/journal'
import { noEmbedder } from '../../../../src/main/models'
import type { HandlerContext } from '../../../../src/main/workers/context'
import { recallHandlers } from '../../../../src/main/workers/query/recall.handlers'
import { reviewHandlers } from '../../../../src/main/workers/query/review.handlers'
import { settingsHandlers } from '../../../../src/main/workers/query/settings.handlers'
import { traceHandlers } from '../../../../src/main/workers/query/trace.handlers'
import { type CallInput, type CallName, type CallOutput, calls } from '../../../../src/shared/contract'
import { temporaryDb } from '../../../support'

function desk() {
  const db = temporaryDb()
  let now = 1_800_000_000_000
  const ctx: HandlerContext = {
    home: '/nowhere',
    read: db,
    write: db,
    embedder: noEmbedder('there is no model here'),
    clock: () => now++,
    emit: () => {},
    key: noKey,
  }
  const handlers = {
    ...reviewHandlers(ctx),
    ...recallHandlers(ctx),
    ...traceHandlers(ctx),
    ...settingsHandlers(ctx),
  }
  const call = async <N extends keyof typeof handlers & CallName>(
    name: N,
    input: CallInput<N>,
  ): Promise<CallOutput<N>> => {
    const handler = handlers[name] as (given: unknown) => unknown
    return calls[name].output.parse(await handler(calls[name].input.parse(input))) as CallOutput<N>
  }
  return { call, db }
}

describe('traces over the contract', () => {
  test('of a decided gate say for every bid why it stands there or not', async () => {
    const { call } = desk()
    const { id } = await call('gates.add', { text: '# Move invoices\nMigrate the table.' })
    await call('gates.predict', { id })
    await call('gates.decide', { id, action: 'approve' })
    const { traces } = await call('traces.list', { gate: id })
    expect(traces.map(({ purpose }) => purpose).sort()).toEqual(['posterior', 'prior'])
    for (const line of traces) {
      const opened = await call('traces.get', { id: line.id })
      expect(opened.trace.rows).toHaveLength(line.bids)
      expect(await call('traces.get', { receipt: line.receipt as never })).toEqual(opened)
      expect((await call('receipts.get', { id: line.receipt as never })).receipt.budget.spent).toBe(
        line.spent,
      )
    }
    const { receipts } = await call('receipts.list', {})
    expect(receipts.map(({ kind }) => kind)).toEqual(['prediction', 'prediction'])
  })

  test('two of them can be compared', async () => {
    const { call } = desk()
    const { id } = await call('gates.add', { text: '# Move invoices\nMigrate the table.' })
    await call('gates.predict', { id, reveal: true })
    const { traces } = await call('traces.list', {})
    const of = (purpose: string) => traces.find((one) => one.purpose === purpose)?.id as never
    const { differences } = await call('traces.compare', { before: of('prior'), after: of('posterior') })
    expect(differences.find(({ bid }) => bid === 'artifact')).toMatchObject({
      before: null,
      after: { verdict: 'kept', level: 'L0' },
    })
    expect(differences.some(({ bid }) => bid === 'situation')).toBe(false)
  })

  test('of a hidden prediction stay closed, and its receipts with them', async () => {
    const { call } = desk()
    const { id } = await call('gates.add', { text: '# Move invoices' })
    await call('gates.predict', { id })
    const [line] = (await call('traces.list', {})).traces
    await expect(call('traces.get', { id: line?.id as never })).rejects.toMatchObject({ code: 'forbidden' })
    await expect(call('receipts.get', { id: line?.receipt as never })).rejects.toMatchObject({
      code: 'forbidden',
    })
    const { receipt } = await call('hydrate.run', { goal: 'move the invoices' })
    for (const [before, after] of [
      [line?.receipt, receipt.id],
      [receipt.id, line?.receipt],
    ])
      await expect(
        call('receipts.compare', { before: before as never, after: after as never }),
      ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('that are not there say so', async () => {
    const { call } = desk()
    await expect(call('traces.get', { receipt: newReceiptId() })).rejects.toMatchObject({ code: 'not-found' })
  })

  test('each switch of attention is off, turns by itself, and survives damage to the others', async () => {
    const { call, db } = desk()
    expect(Object.values((await call('settings.get', {})).faculty)).toEqual([
      false,
      false,
      false,
      false,
      false,
    ])
    await call('settings.set', { faculty: { adaptive: true } })
    const after = await call('settings.set', { faculty: { interrupts: true } })
    expect(after.faculty).toMatchObject({ adaptive: true, salience: false, interrupts: true })
    db.run(`UPDATE meta SET value = json_set(value, '$.faculty.interrupts', 'maybe') WHERE key = 'settings'`)
    expect((await call('settings.get', {})).faculty).toMatchObject({ adaptive: true, interrupts: false })
  })
})
