import { randomUUID } from 'node:crypto'
import { eventually, latch } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import {
  type EventBus,
  type InboundMessage,
  type OutboundMessage,
  PoisonMessage,
} from '../../src/bus/index.ts'

export interface BusUnderTest {
  bus: EventBus
  /** Event ids among the dead letters of a subscription. */
  deadLetters: (subscription: string, subject: string) => Promise<string[]>
}

const FAST = { minMs: 5, maxMs: 20 }

function namesForTest() {
  const id = randomUUID().slice(0, 8)
  const subject = `melmastoon.example.suite.s${id}.v1`
  const subscription = `sub-${id}`
  const out = (orderingKey: string, ordinal: number): OutboundMessage => ({
    eventId: `${orderingKey}-${ordinal}`,
    subject,
    orderingKey,
    body: JSON.stringify({ ordinal, text: 'سلام' }),
    attributes: { traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01' },
  })
  return { subject, subscription, subjects: [subject], out }
}

const ids = (messages: readonly InboundMessage[]) => messages.map((message) => message.eventId)

/** The requirements of every transport (P4). */
export function busSuite(use: () => BusUnderTest): void {
  it('delivers messages published before and after the subscription, unchanged', async () => {
    const { subscription, subjects, out } = namesForTest()
    const { bus } = use()
    const seen: InboundMessage[] = []
    const handle = async (message: InboundMessage) => void seen.push(message)
    // Pub/Sub retains nothing for a subscription that does not exist, so both are created first.
    await (await bus.subscribe({ subscription, subjects }, handle)).stop()
    expect(await bus.publish([out('a', 0)])).toEqual([{ ok: true }])
    await using _ = await bus.subscribe({ subscription, subjects }, handle)
    await bus.publish([out('b', 0)])
    await eventually(() => expect(ids(seen).toSorted()).toEqual(['a-0', 'b-0']), {
      timeoutMs: 15_000,
    })
    const [first] = seen.filter((message) => message.eventId === 'a-0')
    expect(first).toMatchObject({ ...out('a', 0), deliveryCount: 1 })
  })

  it('processes one key in order and several keys concurrently', async () => {
    const { subscription, subjects, out } = namesForTest()
    const { bus } = use()
    const seen: InboundMessage[] = []
    const mayGo = latch()
    await using _ = await bus.subscribe({ subscription, subjects }, async (message) => {
      if (message.orderingKey === 'stuck') await mayGo.promise
      seen.push(message)
    })
    const messages = Array.from({ length: 40 }, (_unused, index) =>
      out(index % 2 === 0 ? 'stuck' : 'free', Math.floor(index / 2)),
    )
    await bus.publish(messages)
    await eventually(() => expect(seen).toHaveLength(20), { timeoutMs: 15_000 })
    expect(new Set(seen.map((message) => message.orderingKey))).toEqual(new Set(['free']))
    mayGo.open()
    await eventually(() => expect(seen).toHaveLength(40), { timeoutMs: 15_000 })
    for (const key of ['stuck', 'free']) {
      const ofKey = seen.filter((message) => message.orderingKey === key)
      expect(ids(ofKey)).toEqual(Array.from({ length: 20 }, (_unused, index) => `${key}-${index}`))
    }
  })

  it('redelivers a failed message before its successors', async () => {
    const { subscription, subjects, out } = namesForTest()
    const { bus } = use()
    const done: InboundMessage[] = []
    const options = { subscription, subjects, backoff: FAST }
    await using _ = await bus.subscribe(options, async (message) => {
      if (message.eventId === 'k-0' && message.deliveryCount < 3) throw new Error('not yet')
      done.push(message)
    })
    await bus.publish([out('k', 0), out('k', 1)])
    await eventually(() => expect(ids(done)).toEqual(['k-0', 'k-1']), { timeoutMs: 15_000 })
    expect(done[0]?.deliveryCount).toBe(3)
  })

  it('dead-letters a message that fails too often, and a poison message', async () => {
    const { subject, subscription, subjects, out } = namesForTest()
    const { bus, deadLetters } = use()
    const done: InboundMessage[] = []
    const tries = new Map<string, number>()
    const options = { subscription, subjects, backoff: FAST, maxDeliveries: 3 }
    await using _ = await bus.subscribe(options, async (message) => {
      tries.set(message.eventId, (tries.get(message.eventId) ?? 0) + 1)
      if (message.eventId === 'k-0') throw new Error('never')
      if (message.eventId === 'k-1') throw new PoisonMessage('not ours')
      done.push(message)
    })
    await bus.publish([out('k', 0), out('k', 1), out('k', 2)])
    await eventually(() => expect(ids(done)).toEqual(['k-2']), { timeoutMs: 15_000 })
    expect(Object.fromEntries(tries)).toEqual({ 'k-0': 3, 'k-1': 1, 'k-2': 1 })
    await eventually(
      async () =>
        expect((await deadLetters(subscription, subject)).toSorted()).toEqual(['k-0', 'k-1']),
      { timeoutMs: 15_000, intervalMs: 100 },
    )
  })

  it('stops after the running handler and leaves the other messages to the next subscriber', async () => {
    const { subscription, subjects, out } = namesForTest()
    const { bus } = use()
    const first: InboundMessage[] = []
    const [entered, mayGo] = [latch(), latch()]
    const stopping = await bus.subscribe({ subscription, subjects }, async (message) => {
      entered.open()
      await mayGo.promise
      first.push(message)
    })
    await bus.publish([out('k', 0), out('k', 1), out('k', 2)])
    await entered.promise
    const stopped = stopping.stop()
    mayGo.open()
    await stopped
    expect(ids(first)).toEqual(['k-0'])
    const second: InboundMessage[] = []
    await using _ = await bus.subscribe({ subscription, subjects }, async (message) => {
      second.push(message)
    })
    await eventually(() => expect(new Set(ids(second))).toEqual(new Set(['k-1', 'k-2'])), {
      timeoutMs: 20_000,
    })
  })

  it('delivers every message to each of two subscriptions', async () => {
    const { subscription, subjects, out } = namesForTest()
    const { bus } = use()
    const counts = [0, 0]
    await using stack = new AsyncDisposableStack()
    for (const index of counts.keys()) {
      const options = { subscription: `${subscription}-${index}`, subjects }
      stack.use(
        await bus.subscribe(options, async () => {
          counts[index] = (counts[index] ?? 0) + 1
        }),
      )
    }
    await bus.publish([out('a', 0), out('b', 0)])
    await eventually(() => expect(counts).toEqual([2, 2]), { timeoutMs: 15_000 })
  })
}
