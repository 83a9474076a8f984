import { describe, expect, it } from 'vitest'
import {
  type EventStreamOptions,
  readEventStream,
  type StreamMessage,
} from './read-event-stream.ts'
import { ReconnectDelay } from './reconnect-delay.ts'

const hello = (id: string) => `event: hello\nid: ${id}\ndata: {"channels":["ai"]}\n\n`
const event = (id: string) => `event: ai\nid: ${id}\ndata: {"n":1}\n\n`
const bye = (reason: string) => `event: bye\nretry: 1\ndata: {"reason":"${reason}"}\n\n`

const streamed = (...pieces: string[]) => new Response(pieces.join(''), { status: 200 })
const challenged = (nonce: string) =>
  new Response(null, {
    status: 401,
    headers: { 'dpop-nonce': nonce, 'www-authenticate': 'DPoP error="use_dpop_nonce"' },
  })

interface Read {
  readonly messages: StreamMessage[]
  readonly requests: Request[]
  readonly end: string
}

/** Each attempt gets the next response. */
async function read(
  responses: ((request: Request) => Response | Promise<Response>)[],
  options: Partial<EventStreamOptions> = {},
): Promise<Read> {
  const requests: Request[] = []
  const stream = readEventStream({
    url: 'http://hotel.test/sse/stream',
    firstPauseMs: 1,
    headers: async ({ nonce = 'none' }) => ({ dpop: `proof-${nonce}` }),
    ...options,
    fetch: async (request) => {
      requests.push(request)
      const respond = responses.shift() ?? (() => streamed(bye('replaced')))
      return await respond(request)
    },
  })
  const messages: StreamMessage[] = []
  for (;;) {
    const { value, done } = await stream.next()
    if (done) return { messages, requests, end: value }
    messages.push(value)
  }
}

const names = ({ messages }: Read) => messages.map((message) => message.event)
const header = (request: Request | undefined, name: string) => request?.headers.get(name)

describe('reading a stream', () => {
  it('resumes after the last event it returned, until the server says that it is final', async () => {
    const result = await read([
      () => streamed(hello('a.1'), event('a.2'), event('a.3')),
      () => streamed(hello('a.3'), event('a.4'), bye('shutdown')),
      () => streamed(hello('a.4'), bye('session_ended')),
    ])
    expect(result.end).toBe('session_ended')
    expect(names(result)).toEqual(['hello', 'ai', 'ai', 'hello', 'ai', 'bye', 'hello', 'bye'])
    const ids = result.requests.map((request) => header(request, 'last-event-id'))
    expect(ids).toEqual([null, 'a.3', 'a.4'])
  })

  it('makes a new proof for each attempt, with the nonce of the last response', async () => {
    const result = await read([() => challenged('n1'), () => streamed(hello('a.1'))])
    const proofs = result.requests.map((request) => header(request, 'dpop'))
    expect(proofs).toEqual(['proof-none', 'proof-n1', 'proof-n1'])
    expect(header(result.requests[0], 'accept')).toBe('text/event-stream')
  })

  it('reopens after 401, with new tokens, and after an outage', async () => {
    let renewals = 0
    const result = await read(
      [
        () => new Response(null, { status: 401 }),
        () => Promise.reject(new TypeError('no network')),
        () => new Response(null, { status: 503 }),
        () => streamed(hello('a.1')),
      ],
      { onUnauthorized: async () => void (renewals += 1) },
    )
    expect(renewals).toBe(1)
    expect(names(result)).toEqual(['hello', 'bye'])
  })

  it('returns the gap that the server announces, and one that it does not', async () => {
    const announced = `event: gap\ndata: {"refetch":["ai"]}\n\n`
    const result = await read([
      () => streamed(hello('a.9')),
      () => streamed(announced, hello('b.1')),
      () => streamed(hello('c.1')),
      () => streamed(hello('c.1')),
    ])
    expect(names(result)).toEqual(['hello', 'gap', 'hello', 'gap', 'hello', 'hello', 'bye'])
    expect(result.messages[3]?.data).toEqual({ refetch: ['ai'] })
  })

  it('notices a connection that has become silent', async () => {
    const silent = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(hello('a.1'))),
    })
    const cut = (request: Request) => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
      silent.pipeTo(writable, { signal: request.signal }).catch(() => undefined)
      return new Response(readable)
    }
    const result = await read([cut], { silenceMs: 30 })
    expect(names(result)).toEqual(['hello', 'bye'])
    expect(header(result.requests[1], 'last-event-id')).toBe('a.1')
  })

  it('ends with the signal of the caller', async () => {
    const controller = new AbortController()
    const result = await read(
      [
        () => {
          controller.abort()
          return Promise.reject(new TypeError('no network'))
        },
      ],
      { signal: controller.signal },
    )
    expect(result.end).toBe('closed')
  })
})

describe('the pause before the next attempt', () => {
  const newDelay = (random = 1) =>
    new ReconnectDelay({ firstPauseMs: 1_000, maxPauseMs: 30_000, random: () => random })

  it('doubles from one second to thirty, and begins again after a success', () => {
    const delay = newDelay()
    const pauses = Array.from({ length: 7 }, () => delay.next())
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    delay.succeeded()
    expect(delay.next()).toBe(1_000)
    expect(newDelay(0).next()).toBe(500)
  })

  it('is the one that the server asked for', () => {
    const delay = newDelay()
    delay.retryAfter(7_311)
    expect([delay.next(), delay.next(), delay.next()]).toEqual([7_311, 7_311, 7_311])
    expect(delay.next()).toBe(8_000)
  })
})
