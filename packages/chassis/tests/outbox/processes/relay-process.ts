/** A relay in a separate process, for tests that kill, stop or pause it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { createRedisStreamsBus } from '../../../src/bus/index.ts'
import { createDatabase } from '../../../src/db/index.ts'
import type { RelayOptions } from '../../../src/outbox/index.ts'
import { ShardedRelay } from '../../../src/outbox/relay.ts'
import { createRedis } from '../../../src/redis/index.ts'
import { readSettings, report } from './settings.ts'

const settings = readSettings()
const {
  lingerMs = 0,
  leaseSeconds = 1,
  batchSize = 500,
  stopMs = 7_000,
  owner = 'child',
} = settings
const onError = (error: unknown) => report(`error ${String(error)}`)
const db = createDatabase({ url: settings.relayUrl, poolMax: 4, onError })
const redis = createRedis(settings.redisUrl, { name: 'relay', onError })
const bus = createRedisStreamsBus({ redis })
const options: RelayOptions = {
  db,
  bus: {
    ...bus,
    async publish(messages) {
      const outcomes = await bus.publish(messages)
      report(`sent ${messages.length}`)
      if (settings.hang) await new Promise(() => undefined)
      await sleep(lingerMs)
      return outcomes
    },
  },
  owner,
  leaseSeconds,
  batchSize,
  stopMs,
  pollMs: 20,
  publishTimeoutMs: 60_000,
  metrics: {
    onPublished: (count) => report(`published ${count}`),
    onFencedMark: (count) => report(`fenced ${count}`),
  },
  onError,
}
const relay = new ShardedRelay(options, { fenced: settings.fenced ?? true })
relay.start()
report('ready')
process.once('SIGTERM', () => {
  void relay.stop().then(() => {
    report('stopped')
    process.exit(0)
  })
})
