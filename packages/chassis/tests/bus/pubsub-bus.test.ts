import { PubSub } from '@google-cloud/pubsub'
import { eventually, latch, startPubSubEmulator } from '@melmastoon/testkit'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createPubSubBus, deadLetterName } from '../../src/bus/index.ts'
import { busSuite } from './bus-suite.ts'

// Otherwise the auth library looks for a metadata server, which does not exist here.
vi.stubEnv('METADATA_SERVER_DETECTION', 'none')
const emulator = await startPubSubEmulator()
const reason = emulator.available ? '' : ` (skipped: ${emulator.reason})`

describe.skipIf(!emulator.available)(`Google Pub/Sub${reason}`, () => {
  const emulatorHost = emulator.available ? emulator.endpoint : ''
  const projectId = 'melmastoon-test'
  const bus = createPubSubBus({ projectId, emulatorHost, publishTimeoutMs: 2_000 })
  const admin = new PubSub({ projectId, apiEndpoint: emulatorHost, emulatorMode: true })
  afterAll(async () => {
    await bus[Symbol.asyncDispose]()
    await admin.close()
    if (emulator.available) await emulator[Symbol.asyncDispose]()
  })

  const seen = new Map<string, string[]>()
  busSuite(() => ({
    bus,
    async deadLetters(subscription, subject) {
      const name = deadLetterName(subscription, subject)
      const known = seen.get(name)
      if (known !== undefined) return known
      const found: string[] = []
      seen.set(name, found)
      admin.subscription(name).on('message', (message) => {
        found.push(message.attributes['eventId'] ?? '')
        message.ack()
      })
      return found
    },
  }))

  it('reports an unresponsive broker as unavailable, and can use the key afterwards', async () => {
    const away = createPubSubBus({ projectId, emulatorHost: '127.0.0.1:1', publishTimeoutMs: 500 })
    const message = {
      eventId: 'k-0',
      subject: 'melmastoon.example.away.v1',
      orderingKey: 'k',
      body: '{}',
      attributes: {},
    }
    expect(await away.publish([message])).toMatchObject([{ ok: false, kind: 'unavailable' }])
    expect(await away.publish([message])).toMatchObject([{ ok: false, kind: 'unavailable' }])
    expect(await bus.publish([message, { ...message, eventId: 'k-1' }])).toEqual([
      { ok: true },
      { ok: true },
    ])
    await away[Symbol.asyncDispose]()
  })

  it('D22 subscribes while the broker is unavailable', async () => {
    const away = createPubSubBus({ projectId, emulatorHost: '127.0.0.1:1', publishTimeoutMs: 500 })
    const errors: Error[] = []
    const options = {
      subscription: 'away',
      subjects: ['melmastoon.example.away.v1'],
      onError: (error: Error) => errors.push(error),
    }
    const subscription = await away.subscribe(options, async () => undefined)
    expect(errors).toHaveLength(1)
    await subscription.stop()
    await away[Symbol.asyncDispose]()
  })

  it('returns each unstarted message exactly once while it stops', async () => {
    const subject = 'melmastoon.example.stopping.v1'
    const options = { subscription: 'stopping', subjects: [subject], maxInFlight: 1 }
    const [entered, mayGo] = [latch(), latch()]
    const first = await bus.subscribe(options, async () => {
      entered.open()
      await mayGo.promise
    })
    const messages = Array.from({ length: 20 }, (_, index) => ({
      eventId: `e-${index}`,
      subject,
      orderingKey: `k-${index}`,
      body: '{}',
      attributes: {},
    }))
    await bus.publish(messages)
    await entered.promise
    const startedMs = performance.now()
    const stopped = first.stop()
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    mayGo.open()
    await stopped
    expect(performance.now() - startedMs).toBeLessThan(3_000)
    const counts = new Map<string, number>()
    await using _ = await bus.subscribe(options, async (message) => {
      counts.set(message.eventId, message.deliveryCount)
    })
    await eventually(() => expect(counts.size).toBeGreaterThanOrEqual(19), { timeoutMs: 15_000 })
    expect(Math.max(...counts.values())).toBeLessThanOrEqual(2)
  })
})
