import { TraceId } from '../../../shared/attention'
import { GateId, Handle, ReceiptId } from '../../../shared/domain'
import { AppError } from '../../../shared/errors'
import { plainProblem } from '../../../shared/plain-issue'

type Parsed<T> = { success: true; data: T } | { success: false; error: Parameters<typeof plainProblem>[0] }

/** The id that was meant. @throws AppError `bad-input` that says how such an id looks */
const idOf =
  <T>(schema: { safeParse(text: string): Parsed<T> }, what: string) =>
  (text: string): T => {
    const id = schema.safeParse(text)
    if (id.success) return id.data
    throw new AppError('bad-input', `"${text.slice(0, 60)}" is no ${what}: ${plainProblem(id.error)}`)
  }

export const handleIn = idOf(Handle, 'handle of an item')
export const receiptIn = idOf(ReceiptId, 'receipt')
export const traceIn = idOf(TraceId, 'trace')
export const gateIn = idOf(GateId, 'gate')
