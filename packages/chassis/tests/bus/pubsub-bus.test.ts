import { PubSub } from '@google-cloud/pubsub'
import { startPubSubEmulator } from '@melmastoon/testkit'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { createPubSubBus, deadLetterName } from '../../src/bus/index.ts'
import { busSuite } from './bus-suite.ts'

// Else the auth library looks for a metadata server, which no machine of ours has.
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

  it('says unavailable when nobody answers, and the key is usable afterwards', async () => {
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
})
