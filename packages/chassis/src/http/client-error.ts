import type { Socket } from 'node:net'
import { newId, type ProblemCode, problem, problemDocument } from '@melmastoon/domain'
import { newTrace } from '../telemetry/index.ts'
import { SECURITY_HEADERS } from './security-headers.ts'

const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'MELMASTOON.GENERAL.HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'MELMASTOON.GENERAL.REQUEST_TIMEOUT',
}

interface HttpSocket extends Socket {
  /** The response Node is about to write or is writing; there is no public way to ask. */
  _httpMessage?: { headersSent: boolean } | null
}

/**
 * What never became a request has no route and no reply object: the answer is written to the
 * socket itself. Nothing is written once a response has begun, so a client never sees two.
 */
export function answerClientError(error: Error & { code?: string }, socket: HttpSocket): void {
  const begun = socket._httpMessage?.headersSent === true
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy()
    return
  }
  const code = CODES[error.code ?? ''] ?? 'MELMASTOON.GENERAL.VALIDATION_FAILED'
  socket.end(renderRawProblem(code, { instance: '/', requestId: newId('req') }), () =>
    socket.destroy(),
  )
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

export function renderRawProblem(
  code: ProblemCode,
  context: { instance: string; requestId: string; traceId?: string },
): string {
  const failure = problem(code)
  const { traceId = newTrace().traceId } = context
  const body = JSON.stringify(problemDocument(failure, { ...context, traceId }))
  const headers = {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'no-store',
    connection: 'close',
    'x-request-id': context.requestId,
    ...SECURITY_HEADERS,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const status = `HTTP/1.1 ${failure.status} ${REASONS[failure.status] ?? 'Error'}\r\n`
  return `${status}${lines.join('')}\r\n${body}`
}
