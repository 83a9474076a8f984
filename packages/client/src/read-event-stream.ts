import { connectStream, type StreamConnection, type StreamCredentials } from './connect-stream.ts'
import { ReconnectDelay } from './reconnect-delay.ts'

export interface EventStreamOptions extends StreamCredentials {
  readonly url: string
  /** Where an earlier stream ended. */
  readonly lastEventId?: string
  /** Ends the stream. */
  readonly signal?: AbortSignal
  readonly fetch?: (request: Request) => Promise<Response>
  readonly firstPauseMs?: number
  readonly maxPauseMs?: number
  /** Without any byte for this long the connection is lost. By default 2.5 heartbeats. */
  readonly silenceMs?: number
  readonly random?: () => number
}

export interface StreamMessage {
  /** The channel, or `hello`, `gap`, `session`, `bye`. */
  readonly event: string
  /** After it the stream can be resumed; control events have none. */
  readonly id: string | undefined
  readonly data: Readonly<Record<string, unknown>>
}

/** Why no further attempt is made: the caller's signal, or the `bye` of the server. */
export type StreamEnd = 'closed' | 'replaced' | 'session_ended'

const FIRST_PAUSE_MS = 1_000
const MAX_PAUSE_MS = 30_000

/**
 * The events of a stream across any number of connections. `EventSource` cannot send headers, so
 * this reads the response of `fetch`. It resumes after the last event; where that is not possible
 * the server says so with `gap`, and a new log that was not announced counts as one, too.
 */
export async function* readEventStream(
  options: EventStreamOptions,
): AsyncGenerator<StreamMessage, StreamEnd> {
  const delay = new ReconnectDelay({
    firstPauseMs: options.firstPauseMs ?? FIRST_PAUSE_MS,
    maxPauseMs: options.maxPauseMs ?? MAX_PAUSE_MS,
    random: options.random ?? Math.random,
  })
  const { signal = new AbortController().signal } = options
  const state = { lastEventId: options.lastEventId, nonce: undefined }
  while (!signal.aborted) {
    const connection = connectStream(options, { signal, state, delay })
    const end = yield* withGaps(connection, state)
    if (end !== 'lost') return end
    await pause(delay.next(), signal)
  }
  return 'closed'
}

type Resumable = { lastEventId: string | undefined }

/** Adds the gap that a server has not announced, and remembers the last id. */
async function* withGaps(
  connection: StreamConnection,
  state: Resumable,
): AsyncGenerator<StreamMessage, StreamEnd | 'lost'> {
  let isAnnounced = false
  for (;;) {
    const { value, done } = await connection.next()
    if (done) return value
    if (value.event === 'gap') isAnnounced = true
    if (value.event === 'hello') {
      const isSameLog = epochOf(state.lastEventId) === epochOf(value.id)
      if (state.lastEventId !== undefined && !isSameLog && !isAnnounced) {
        yield { event: 'gap', id: undefined, data: { refetch: value.data['channels'] ?? [] } }
      }
      isAnnounced = false
    }
    // Afterwards: an event that the caller has not received is sent again.
    yield value
    state.lastEventId = value.id ?? state.lastEventId
  }
}

function epochOf(id: string | undefined): string | undefined {
  return id?.split('.')[0]
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    // Its event has been dispatched already.
    if (signal.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, ms)
    signal.addEventListener('abort', finish, { once: true })
  })
}
