import { EventParser } from './event-parser.ts'
import type { EventStreamOptions, StreamEnd, StreamMessage } from './read-event-stream.ts'
import type { ReconnectDelay } from './reconnect-delay.ts'
import { untilAborted } from './until-aborted.ts'

export interface StreamCredentials {
  /**
   * The headers of one attempt: token, proof and device. A proof is valid for one request, so they
   * are made anew each time, with the nonce of the last response.
   */
  readonly headers: (attempt: {
    readonly nonce: string | undefined
  }) => Promise<Readonly<Record<string, string>>>
  /** The token was rejected: get a new one. The next attempt is made in any case. */
  readonly onUnauthorized?: () => Promise<void>
}

export interface ConnectionContext {
  readonly signal: AbortSignal
  readonly state: { lastEventId: string | undefined; nonce: string | undefined }
  readonly delay: ReconnectDelay
}

export type StreamConnection = AsyncGenerator<StreamMessage, StreamEnd | 'lost'>

const HEARTBEAT_MS = 15_000
const SILENT_HEARTBEATS = 2.5
/** Ends that the server does not want repeated. */
const FINAL: ReadonlySet<unknown> = new Set(['replaced', 'session_ended'])

/** One connection: its events until it is lost. Never throws. */
export async function* connectStream(
  options: EventStreamOptions,
  context: ConnectionContext,
): StreamConnection {
  const silence = new Silence(context.signal, options.silenceMs)
  try {
    const response = await request(options, context, silence.signal)
    if (response?.body == null) return 'lost'
    return yield* readBody(response.body, { ...context, silence })
  } catch {
    return context.signal.aborted ? 'closed' : 'lost'
  } finally {
    silence.end()
  }
}

/** Null: rejected, or not a stream. A missing nonce costs one more request and no pause. */
async function request(
  options: EventStreamOptions,
  { state, delay }: ConnectionContext,
  signal: AbortSignal,
): Promise<Response | null> {
  const send = options.fetch ?? fetch
  for (let isRepeated = false; ; isRepeated = true) {
    const made = options.headers({ nonce: state.nonce })
    const headers = new Headers(await untilAborted(made, signal))
    headers.set('accept', 'text/event-stream')
    if (state.lastEventId !== undefined) headers.set('last-event-id', state.lastEventId)
    const sent = send(new Request(options.url, { headers, signal, cache: 'no-store' }))
    const response = await untilAborted(sent, signal)
    state.nonce = response.headers.get('dpop-nonce') ?? state.nonce
    if (response.status === 200) return response
    response.body?.cancel().catch(() => undefined)
    const challenge = response.headers.get('www-authenticate') ?? ''
    if (response.status === 401 && challenge.includes('use_dpop_nonce') && !isRepeated) continue
    if (response.status === 401) await untilAborted(renewed(options), signal)
    const seconds = Number(response.headers.get('retry-after') ?? 0)
    if (seconds > 0) delay.retryAfter(seconds * 1_000)
    return null
  }
}

async function renewed({ onUnauthorized }: EventStreamOptions): Promise<void> {
  await onUnauthorized?.()
}

interface BodyContext extends ConnectionContext {
  readonly silence: Silence
}

async function* readBody(
  body: ReadableStream<Uint8Array>,
  { delay, signal, silence }: BodyContext,
): StreamConnection {
  const received: StreamMessage[] = []
  const parser = new EventParser({
    onEvent: ({ event, id, data }) => received.push({ event, id, data: parseData(data) }),
    onRetry: (retryMs) => delay.retryAfter(retryMs),
  })
  const decoder = new TextDecoder()
  const reader = body.getReader()
  const stop = () => void reader.cancel().catch(() => undefined)
  // Not left to `fetch`, which may miss it (see `untilAborted`).
  silence.signal.addEventListener('abort', stop, { once: true })
  if (silence.signal.aborted) stop()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return signal.aborted ? 'closed' : 'lost'
      silence.heard()
      parser.feed(decoder.decode(value, { stream: true }))
      for (const message of received.splice(0)) {
        delay.succeeded()
        silence.learn(message)
        yield message
        if (message.event === 'bye' && FINAL.has(message.data['reason'])) {
          return message.data['reason'] as StreamEnd
        }
      }
    }
  } finally {
    silence.signal.removeEventListener('abort', stop)
    stop()
  }
}

function parseData(text: string): StreamMessage['data'] {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : { value }
  } catch {
    return { value: text }
  }
}

/** Aborts a connection that was silent for too long: the other side may have gone unnoticed. */
class Silence {
  readonly #controller = new AbortController()
  readonly #parent: AbortSignal
  readonly #onAbort = () => this.#controller.abort()
  #limitMs: number
  readonly #isFixed: boolean
  #timer: ReturnType<typeof setTimeout> | undefined

  constructor(parent: AbortSignal, limitMs: number | undefined) {
    this.#parent = parent
    this.#isFixed = limitMs !== undefined
    this.#limitMs = limitMs ?? HEARTBEAT_MS * SILENT_HEARTBEATS
    if (parent.aborted) this.#controller.abort()
    parent.addEventListener('abort', this.#onAbort, { once: true })
    this.heard()
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  heard(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(this.#onAbort, this.#limitMs)
  }

  /** `hello` says how often the server sends something. */
  learn({ event, data }: StreamMessage): void {
    const { heartbeatMs } = data
    if (event !== 'hello' || typeof heartbeatMs !== 'number' || this.#isFixed) return
    this.#limitMs = heartbeatMs * SILENT_HEARTBEATS
    this.heard()
  }

  end(): void {
    clearTimeout(this.#timer)
    this.#parent.removeEventListener('abort', this.#onAbort)
    // Also releases a response that is not read any more.
    this.#controller.abort()
  }
}
