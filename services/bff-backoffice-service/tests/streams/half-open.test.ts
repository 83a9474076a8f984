import { readEventStream, type StreamMessage } from '@melmastoon/client/source'
import { eventually, startTcpProxy } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { STREAM_LIMITS } from '../../src/streams/stream-limits.ts'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'
import { BareStreams, operatorOf } from './bare-streams.ts'
import { StreamFixture } from './stream-fixture.ts'

let running: BackofficeWithFakes
beforeAll(async () => {
  running = await startWithFakes()
})
afterAll(() => running[Symbol.asyncDispose]())

const HEARTBEAT_MS = 150
/** How many heartbeats the reader waits for. */
const SILENT_HEARTBEATS = 2.5

it('STAFF-SSE-06 a connection that is only half open is replaced, without a lost event', async () => {
  expect(STREAM_LIMITS.heartbeatMs * SILENT_HEARTBEATS).toBeLessThan(45_000)
  const limits = { heartbeatMs: HEARTBEAT_MS }
  await using bare = await BareStreams.start(running, { limits })
  const fixture = new StreamFixture(running)
  const operator = operatorOf(fixture)
  const url = bare.urlOf(operator)
  await using proxy = await startTcpProxy(url)
  const closing = new AbortController()
  const messages: StreamMessage[] = []
  let attempts = 0
  const reader = readEventStream({
    url,
    signal: closing.signal,
    firstPauseMs: 1,
    maxPauseMs: 50,
    headers: async () => ({}),
    // The first connection leads through the proxy, which will swallow everything.
    fetch: (request) => {
      attempts += 1
      if (attempts > 1) return fetch(request)
      return fetch(new Request(new URL(new URL(url).pathname, proxy.url), request))
    },
  })
  const read = async () => {
    for await (const message of reader) messages.push(message)
  }
  const done = read()
  const numbers = () => messages.filter(({ event }) => event === 'arrivals').map((m) => m.data['n'])
  await fixture.publish(1)
  await eventually(() => expect(messages[0]?.event).toBe('hello'))
  await fixture.publish(1)
  await eventually(() => expect(numbers()).toEqual([2]))
  await proxy.setMode({ kind: 'blackhole' })
  const lostMs = performance.now()
  await fixture.publish(2)
  await eventually(() => expect(numbers()).toEqual([2, 3, 4]))
  expect(attempts).toBe(2)
  expect(performance.now() - lostMs).toBeGreaterThan(HEARTBEAT_MS)
  await eventually(() => expect(bare.streams.count).toBe(1))
  expect(messages.some(({ event }) => event === 'gap')).toBe(false)
  closing.abort()
  await done
})
