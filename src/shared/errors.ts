import { z } from 'zod'

/** Every way a call can fail, closed so that a surface can handle each one. */
export const ErrorCode = z.enum([
  'bad-input',
  'not-found',
  'conflict',
  'unreadable',
  'unsupported',
  'unavailable',
  'busy',
  'cancelled',
  'corrupt',
  'newer-database',
  'forbidden',
  'internal',
])
export type ErrorCode = z.infer<typeof ErrorCode>

/** An error as it crosses a process boundary: a code, one sentence for a person, and whether to try again. */
export const ErrorData = z.object({
  code: ErrorCode,
  message: z.string(),
  retryable: z.boolean(),
})
export type ErrorData = z.infer<typeof ErrorData>

/** The one error class of Fovea. `message` is a sentence that a person reads; the cause is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly retryable: boolean

  constructor(code: ErrorCode, message: string, options: { cause?: unknown; retryable?: boolean } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.retryable = options.retryable ?? (code === 'busy' || code === 'unavailable')
  }
}

/** Any thrown thing as data. What is not an AppError is internal: its text may hold paths or content, so it is not shown. */
export function toErrorData(error: unknown): ErrorData {
  if (error instanceof AppError) {
    return { code: error.code, message: error.message, retryable: error.retryable }
  }
  if (isErrorData(error)) return error
  return {
    code: 'internal',
    message: 'Something went wrong inside Fovea. Nothing was changed.',
    retryable: false,
  }
}

export function fromErrorData(data: ErrorData): AppError {
  return new AppError(data.code, data.message, { retryable: data.retryable })
}

function isErrorData(value: unknown): value is ErrorData {
  return ErrorData.safeParse(value).success
}

/** What a call answers across a boundary: a value, or an error as data. */
export type Result<T> = { ok: true; value: T } | { ok: false; error: ErrorData }
