import { getEventListeners, once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ApiUnreachable } from './api-unreachable.ts'
import { createClient } from './create-client.ts'
import { readEventStream } from './read-event-stream.ts'
import { untilAborted } from './until-aborted.ts'

interface Paths {
  '/silent': { get: { responses: { 200: { content: { 'application/json': object } } } } }
  '/cut-off': { get: { responses: { 200: { content: { 'application/json': object } } } } }
}

/** A server that becomes silent: before the head, in the body, or after the first event. */
const server = createServer(({ url }, response: ServerResponse) => {
  if (url === '/silent') return
  response.writeHead(200, { 'content-type': 'application/json' })
  response.write(url === '/cut-off' ? '{' : 'event: hello\nid: a.1\ndata: {}\n\n')
})
let baseUrl: string
beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})

setFlagsFromString('--expose_gc')
const collect = runInNewContext('gc') as () => void

/** Until the weak references of `fetch` are gone. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 10; round += 1) {
    collect()
    await pause(5)
  }
}

const WAIT_MS = 300
const hasEnded = (work: Promise<unknown>) =>
  Promise.race([
    work.then(
      () => true,
      () => true,
    ),
    pause(WAIT_MS, false),
  ])

describe('an abort after the garbage collection of the request', () => {
  /**
   * Shows that the tests below would fail without `untilAborted`. A later version of Node may
   * follow the signal: then it has nothing to show, and is skipped.
   */
  it('is missed by fetch (control)', async ({ skip }) => {
    const controller = new AbortController()
    const response = await fetch(new Request(`${baseUrl}/cut-off`, { signal: controller.signal }))
    const body = response.arrayBuffer()
    await collectGarbage()
    controller.abort()
    skip(await hasEnded(body), 'fetch of this version of Node ends with its signal')
    expect(await hasEnded(untilAborted(body, controller.signal))).toBe(true)
  })

  it('ends a stream', async () => {
    const controller = new AbortController()
    const url = `${baseUrl}/stream`
    const stream = readEventStream({ url, signal: controller.signal, headers: async () => ({}) })
    expect((await stream.next()).value).toMatchObject({ event: 'hello' })
    const next = stream.next()
    await collectGarbage()
    controller.abort()
    expect(await next).toEqual({ done: true, value: 'closed' })
  })

  it('of silence begins another connection', async () => {
    const stream = readEventStream({
      url: `${baseUrl}/stream`,
      silenceMs: 250,
      firstPauseMs: 1,
      headers: async () => ({}),
    })
    await stream.next()
    const next = stream.next()
    await collectGarbage()
    expect((await next).value).toMatchObject({ event: 'hello' })
    await stream.return('closed')
  })

  it.each(['/silent', '/cut-off'] as const)('of the deadline ends a call of %s', async (path) => {
    const client = createClient<Paths>({ baseUrl, timeoutMs: 250, retries: 0 })
    const call = client.GET(path).catch((error: unknown) => error)
    await collectGarbage()
    const error = await call
    expect(error).toBeInstanceOf(ApiUnreachable)
    expect(error).toMatchObject({ reason: 'deadline' })
  })
})

describe('untilAborted', () => {
  it('rejects at once with the reason of a signal that has aborted', async () => {
    const reason = new Error('stopped')
    await expect(untilAborted(new Promise(() => {}), AbortSignal.abort(reason))).rejects.toBe(
      reason,
    )
  })

  it('returns the result, and leaves no listener behind', async () => {
    const { signal } = new AbortController()
    expect(await untilAborted(Promise.resolve(7), signal)).toBe(7)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
