import { describe, expect, it } from 'vitest'
import { ApiProblem, UNEXPLAINED } from './api-problem.ts'
import { ApiUnreachable } from './api-unreachable.ts'
import { type ClientOptions, createClient } from './create-client.ts'

interface NoteResponse {
  content: { 'application/json': { noteId: string } }
}
interface Paths {
  '/notes/{id}': {
    get: { parameters: { path: { id: string } }; responses: { 200: NoteResponse } }
  }
  '/notes': {
    post: {
      parameters: { header?: { 'idempotency-key'?: string } }
      requestBody: { content: { 'application/json': { text: string } } }
      responses: { 201: NoteResponse }
    }
  }
}

const json = (status: number, body: unknown, type = 'application/json') =>
  new Response(JSON.stringify(body), { status, headers: { 'content-type': type } })
const problemResponse = (status: number, members: object) =>
  json(status, { status, ...members }, 'application/problem+json')
const created = () => json(201, { noteId: 'n1' })

/** Sends the responses in order, repeats the last one, and records the requests. */
function server(
  responses: (() => Response | Promise<Response>)[],
  options: Partial<ClientOptions>,
) {
  const requests: Request[] = []
  const bodies: string[] = []
  const client = createClient<Paths>({
    baseUrl: 'http://hotel.test',
    firstPauseMs: 1,
    ...options,
    fetch: async (request) => {
      requests.push(request)
      bodies.push(await request.text())
      const respond = responses[Math.min(requests.length, responses.length) - 1]
      if (respond === undefined) throw new TypeError('no response prepared')
      return respond()
    },
  })
  const keys = () => requests.map((request) => request.headers.get('idempotency-key'))
  return { client, requests, bodies, keys }
}

const respondingWith = (...responses: (() => Response | Promise<Response>)[]) =>
  server(responses, {})
const cut = () => Promise.reject(new TypeError('fetch failed'))
const cutInTheMiddle = () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error('cut')) })
  return new Response(body, { status: 201 })
}
const failure = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('succeeded'),
    (error: unknown) => error,
  )

describe('a call', () => {
  it('fills in the path, sends JSON and returns the typed data', async () => {
    const { client, requests, bodies, keys } = respondingWith(created)
    const read = await client.GET('/notes/{id}', { params: { path: { id: 'a/b' } } })
    const id: string = read.data.noteId
    await client.POST('/notes', { body: { text: 'سلام' } })
    expect(id).toBe('n1')
    expect(requests.map((request) => request.url)).toEqual([
      'http://hotel.test/notes/a%2Fb',
      'http://hotel.test/notes',
    ])
    expect(bodies[1]).toBe('{"text":"سلام"}')
    expect(keys()).toEqual([null, expect.stringMatching(/^[0-9a-f]{32}$/)])
  })

  it('uses one key for all attempts of a call and a new one for the next call', async () => {
    const { client, keys, bodies } = respondingWith(cut, cutInTheMiddle, created)
    await client.POST('/notes', { body: { text: 'one' } })
    await client.POST('/notes', { body: { text: 'two' } })
    expect(keys()).toHaveLength(4)
    expect(new Set(keys().slice(0, 3)).size).toBe(1)
    expect(keys()[3]).not.toBe(keys()[0])
    expect(bodies).toEqual(['{"text":"one"}', '{"text":"one"}', '{"text":"one"}', '{"text":"two"}'])
  })

  it('sends the key it is given', async () => {
    const { client, keys } = respondingWith(created)
    const headers = { 'Idempotency-Key': 'of-an-earlier-try' }
    await client.POST('/notes', { body: { text: 'one' }, headers })
    expect(keys()).toEqual(['of-an-earlier-try'])
  })
})

describe('a rejection', () => {
  it('is thrown with its code, fields and request, and not retried', async () => {
    const errors = [{ pointer: '/text', code: 'maxLength', detail: 'is too long' }]
    const { client, requests, keys } = respondingWith(() =>
      problemResponse(400, {
        code: 'MELMASTOON.GENERAL.VALIDATION_FAILED',
        requestId: 'req_1',
        retriable: false,
        errors,
      }),
    )
    const error = await failure(client.POST('/notes', { body: { text: '' } }))
    expect(error).toBeInstanceOf(ApiProblem)
    expect(error).toMatchObject({ status: 400, errors, requestId: 'req_1', retriable: false })
    expect(error).toMatchObject({ idempotencyKey: keys()[0] })
    expect((error as ApiProblem).is('MELMASTOON.GENERAL.VALIDATION_FAILED')).toBe(true)
    expect(requests).toHaveLength(1)
  })

  it('that is temporary is retried up to the limit', async () => {
    const inFlight = () =>
      problemResponse(409, { code: 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT', retriable: true })
    const patient = respondingWith(inFlight, inFlight, created)
    expect((await patient.client.POST('/notes', { body: { text: 'x' } })).data.noteId).toBe('n1')
    const hopeless = respondingWith(inFlight)
    await failure(hopeless.client.POST('/notes', { body: { text: 'x' } }))
    expect(hopeless.requests).toHaveLength(3)
  })

  it('with a challenge is not retried: the same request would be rejected again', async () => {
    const challenge = { provider: 'local', action: 'search' }
    const { client, requests } = respondingWith(() =>
      problemResponse(429, { retriable: true, challenge }),
    )
    const error = await failure(client.POST('/notes', { body: { text: 'x' } }))
    expect(error).toMatchObject({ status: 429, document: { challenge } })
    expect(requests).toHaveLength(1)
  })

  it('whose Retry-After exceeds the deadline is thrown immediately', async () => {
    const busy = () => problemResponse(503, { retriable: true, retryAfter: 60 })
    const { client, requests } = server([busy], { timeoutMs: 5_000 })
    const error = await failure(client.POST('/notes', { body: { text: 'x' } }))
    expect(error).toMatchObject({ status: 503, retryAfterSeconds: 60 })
    expect(requests).toHaveLength(1)
  })

  it('by an intermediary retains its status', async () => {
    const headers = { 'retry-after': '0', 'x-request-id': 'req_2' }
    const { client, requests } = respondingWith(
      () => new Response('<html>', { status: 502, headers }),
    )
    const error = await failure(client.GET('/notes/{id}', { params: { path: { id: '1' } } }))
    expect(error).toMatchObject({ status: 502, code: UNEXPLAINED, requestId: 'req_2' })
    expect(requests).toHaveLength(3)
    const garbled = respondingWith(() => new Response('{', { status: 400, headers: PROBLEM }))
    const second = await failure(garbled.client.POST('/notes', { body: { text: 'x' } }))
    expect(second).toMatchObject({ status: 400, code: UNEXPLAINED, retriable: false })
  })
})

const PROBLEM = { 'content-type': 'application/problem+json' }

describe('no response', () => {
  it('is reported with the key, after the last attempt or the deadline', async () => {
    const gone = respondingWith(cut)
    const network = await failure(gone.client.POST('/notes', { body: { text: 'x' } }))
    expect(network).toBeInstanceOf(ApiUnreachable)
    expect(network).toMatchObject({ reason: 'network', idempotencyKey: gone.keys()[0] })
    expect(gone.requests).toHaveLength(3)

    const late = createClient<Paths>({
      baseUrl: 'http://hotel.test',
      timeoutMs: 20,
      fetch: (request) => untilAborted(request),
    })
    const deadline = await failure(late.POST('/notes', { body: { text: 'x' } }))
    expect(deadline).toMatchObject({ name: 'ApiUnreachable', reason: 'deadline' })
  })

  it('after an abort by the caller carries the caller’s reason', async () => {
    const controller = new AbortController()
    let attempts = 0
    const client = createClient<Paths>({
      baseUrl: 'http://hotel.test',
      fetch: (request) => {
        attempts += 1
        controller.abort(new Error('went elsewhere'))
        return untilAborted(request)
      },
    })
    const { signal } = controller
    const error = await failure(client.POST('/notes', { body: { text: 'x' }, signal }))
    expect(error).toMatchObject({ message: 'went elsewhere' })
    expect(attempts).toBe(1)
  })
})

/** Behaves like fetch against a server that never responds: it rejects when aborted. */
function untilAborted({ signal }: Request): Promise<Response> {
  if (signal.aborted) return Promise.reject(signal.reason as Error)
  const { promise, reject } = Promise.withResolvers<Response>()
  signal.addEventListener('abort', () => reject(signal.reason as Error))
  return promise
}
