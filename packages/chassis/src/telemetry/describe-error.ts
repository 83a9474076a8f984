export interface ErrorDescription {
  type: string
  code?: string
  message?: string
  stack?: string
  cause?: ErrorDescription
}

const MESSAGE_LENGTH_MAX = 300
const STACK_LINES_MAX = 12
const CAUSES_MAX = 3

/**
 * Reduces a thrown value to data that is safe to log. An expected failure (a problem with a status)
 * is reduced to its code; an unexpected one retains a masked message and its stack frames.
 */
export function describeError(error: unknown, depth = 0): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error }
  const described: ErrorDescription = { type: error.name }
  const code = codeOf(error)
  if (code !== undefined) described.code = code
  if (!isExpected(error)) {
    described.message = maskMessage(error.message)
    described.stack = framesOf(error)
  }
  if (error.cause !== undefined && depth < CAUSES_MAX) {
    described.cause = describeError(error.cause, depth + 1)
  }
  return described
}

function codeOf(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^[A-Za-z0-9_.-]{1,80}$/.test(code) ? code : undefined
}

/** A problem with a code of the platform; status 500 is a defect and retains its frames. */
function isExpected(error: Error): boolean {
  const { status } = error as { status?: unknown }
  return error.name === 'Problem' && typeof status === 'number' && status !== 500
}

/** The first line of a stack repeats the message, so only the frames are logged. */
function framesOf(error: Error): string {
  const lines = error.stack?.split('\n') ?? []
  return lines
    .filter((line) => /^\s+at /.test(line))
    .slice(0, STACK_LINES_MAX)
    .join('\n')
}

/**
 * Libraries quote the offending input in their messages. Quoted text, addresses, long numbers,
 * tokens and text after a question mark or before an @ are masked.
 */
export function maskMessage(message: string): string {
  return message
    .slice(0, MESSAGE_LENGTH_MAX)
    .replace(/"[^"]*"?|'[^']*'?|`[^`]*`?/g, '"…"')
    .replace(/\S*@\S*/g, '…@…')
    .replace(/\?\S*/g, '?…')
    .replace(/\d{6,}/g, '…')
    .replace(/[A-Za-z0-9_-]{40,}/g, '…')
}
