/** A consumer in a separate process. */
import { createRedisStreamsBus } from '../../../src/bus/index.ts'
import { createDatabase } from '../../../src/db/index.ts'
import { createConsumer, on } from '../../../src/inbox/index.ts'
import { createRedis } from '../../../src/redis/index.ts'
import { notePlaced, recordEffect } from '../outbox-schema.ts'
import { readSettings, report } from './settings.ts'

const settings = readSettings()
const onError = (error: unknown) => report(`error ${String(error)}`)
const db = createDatabase({ url: settings.appUrl, poolMax: 4, onError })
const redis = createRedis(settings.redisUrl, { name: 'consumer', onError })
const consumer = createConsumer({
  db,
  bus: createRedisStreamsBus({ redis }),
  subscription: 'obx',
  ackDeadlineMs: settings.ackDeadlineMs ?? 1_000,
  handlers: [on(notePlaced, { scope: 'tenant', handle: recordEffect })],
  metrics: {
    onProcessed: () => report('processed'),
    onDuplicate: () => report('duplicate'),
  },
  onError,
})
await consumer.start()
report('ready')
