import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { newId, type ProblemCode, problem, problemDocument } from '@melmastoon/domain'
import { newTrace } from '../telemetry/index.ts'
import { SECURITY_HEADERS } from './response-headers.ts'

const CODES: Readonly<Record<string, ProblemCode>> = {
  HPE_HEADER_OVERFLOW: 'MELMASTOON.GENERAL.HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'MELMASTOON.GENERAL.PAYLOAD_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'MELMASTOON.GENERAL.REQUEST_TIMEOUT',
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  413: 'Content Too Large',
  431: 'Request Header Fields Too Large',
}

/** How long the rest of a request is read and discarded after its response was sent. */
const LINGER_MS = 1000
/**
 * How long a parse error waits for the responses to earlier, valid requests: longer than any
 * deadline.
 */
const EARLIER_RESPONSES_MS = 30_000

interface HttpSocket extends Socket {
  /** The response Node is about to write or is writing; there is no public accessor. */
  _httpMessage?: ServerResponse | null
}

/** Sockets with a parse error. Later bytes raise the same error again and are ignored. */
const failed = new WeakSet<Socket>()
/** Sockets whose latest response was sent before the request had arrived completely. */
const answeredEarly = new WeakMap<Socket, IncomingMessage>()

/**
 * Input that never became a request has no route and no reply object: the response is written to
 * the socket itself. Exactly one response is sent per request:
 * - Earlier requests on the connection that are still being processed get their responses first.
 * - A request that got a response before its body had arrived gets no second one.
 */
export function handleClientError(error: Error & { code?: string }, socket: HttpSocket): void {
  if (failed.has(socket)) return
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  failed.add(socket)
  const timer = setTimeout(() => socket.destroy(), EARLIER_RESPONSES_MS)
  socket.once('close', () => clearTimeout(timer))
  afterEarlierResponses(socket, (unfinished) => {
    const isAnswered = answeredEarly.get(socket)?.complete === false
    if (isAnswered || unfinished?.headersSent === true) closeAndDiscard(socket)
    else closeAndDiscard(socket, rawProblemFor(error))
  })
}

/** Responses are sent in the order of their requests; each one ends with its `close` event. */
function afterEarlierResponses(
  socket: HttpSocket,
  done: (unfinished: ServerResponse | undefined) => void,
): void {
  const current = socket._httpMessage
  if (!current || !current.req.complete) done(current ?? undefined)
  else current.once('close', () => afterEarlierResponses(socket, done))
}

function rawProblemFor(error: Error & { code?: string }): string {
  const code = CODES[error.code ?? ''] ?? 'MELMASTOON.GENERAL.VALIDATION_FAILED'
  return renderRawProblem(code, { instance: '/', requestId: newId('req') })
}

/**
 * Closing a socket with unread input makes the kernel send a reset, which may overtake the
 * response. So the response is written, our side is closed, and the input is discarded for a short
 * time.
 */
function closeAndDiscard(socket: Socket, response = ''): void {
  socket.end(response)
  socket.resume()
  const timer = setTimeout(() => socket.destroy(), LINGER_MS)
  socket.once('close', () => clearTimeout(timer))
}

/**
 * For a request that got its response before its body arrived: Node reads and discards the rest. If
 * that does not end soon, the connection is closed, because the client may never send it.
 */
export function limitUnreadBody(request: IncomingMessage): void {
  const { socket } = request
  answeredEarly.set(socket, request)
  // No listener on the socket: it may carry many such requests.
  setTimeout(() => {
    if (!request.complete) socket.destroy()
  }, LINGER_MS).unref()
}

/**
 * Node closes the connection of a CONNECT request without a response unless a listener responds.
 */
export function rejectConnect(_request: IncomingMessage, socket: Socket): void {
  const context = { instance: '/', requestId: newId('req') }
  const response = renderRawProblem('MELMASTOON.GENERAL.METHOD_NOT_ALLOWED', context)
  afterEarlierResponses(socket, () => closeAndDiscard(socket, response))
}

/**
 * For a request whose body is not read any further. Responses to earlier requests on the connection
 * are sent first: Node assigns the socket to this one after them.
 */
export function closeWithResponse(reply: ServerResponse, response: string): void {
  const send = (socket: Socket) => closeAndDiscard(socket, response)
  if (reply.socket === null) reply.once('socket', send)
  else send(reply.socket)
  reply.req.resume()
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
