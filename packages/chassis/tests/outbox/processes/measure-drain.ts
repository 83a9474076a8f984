/**
 * Rows per second from a full outbox to Redis Streams, everything on: leases, order, archive, fsync.
 * `node measure-drain.ts [rows] [keys] [lanes] [relays] [validate]`
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { newId } from '@melmastoon/domain'
import { dataRoot, startPostgres, startRedis } from '@melmastoon/one-machine'
import { createRedisStreamsBus } from '../../../src/bus/index.ts'
import { createDatabase, ensureRoles, migrate, sharedMigrations } from '../../../src/db/index.ts'
import { appendEvents, createRelay } from '../../../src/outbox/index.ts'
import { createRedis } from '../../../src/redis/index.ts'
import { registry } from '../note-events.ts'

const [rows = 100_000, keys = 1_000, lanes = 2, relays = 1, validate = 0] = process.argv
  .slice(2)
  .map(Number)
const schema = 'drain'
const folder = join(dataRoot(), `drain-${process.pid}`)
const postgres = await startPostgres({ dataDir: join(folder, 'pg'), port: 0 })
const server = await startRedis({ dataDir: join(folder, 'redis'), port: 0, policy: 'noeviction' })
const report = (line: string) => process.stdout.write(`${line}\n`)

try {
  await ensureRoles(postgres.url, schema)
  await migrate({
    url: postgres.url,
    schema,
    migrations: await sharedMigrations({ schema, idempotencyIsolation: false }),
  })
  const relayUrl = postgres.url.replace('postgres@', `${schema}_relay@`)
  await using db = createDatabase({ url: relayUrl, poolMax: 10, onError: () => undefined })
  const redis = createRedis(server.url, { name: 'drain', onError: () => undefined })
  const tenantId = newId('tnt')
  const event = (index: number) =>
    registry.build(
      'melmastoon.example.note.reserved.v1',
      {
        tenantId,
        noteId: `note-${index % keys}`,
        reservationRef: 'r'.repeat(128),
        reservedAt: '2026-03-21T09:00:00.000Z',
      },
      {
        producerInstance: 'drain',
        tenantId,
        requestId: newId('req'),
        traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
        occurredAt: new Date(),
      },
    )
  for (let at = 0; at < rows; at += 1_000) {
    await appendEvents(
      db,
      Array.from({ length: 1_000 }, (_, index) => event(at + index)),
    )
  }
  const startedMs = performance.now()
  const cpu = process.cpuUsage()
  const all = await Promise.all(
    Array.from({ length: relays }, async (_, index) => {
      const bus = createRedisStreamsBus({ redis, maxLength: 200_000 })
      const relay = createRelay({
        db,
        bus,
        owner: `relay-${index}`,
        lanes,
        ...(validate > 0 && { validate: (message: unknown) => registry.validate(message) }),
        onError: (error) => report(String(error)),
      })
      const { published } = await relay.drainOnce()
      await relay.stop()
      return published
    }),
  )
  const seconds = (performance.now() - startedMs) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const published = all.reduce((sum, count) => sum + count, 0)
  report(`${published} rows in ${seconds.toFixed(2)} s = ${Math.round(published / seconds)} rows/s`)
  report(`node CPU ${((user + system) / 1e6).toFixed(2)} s`)
  redis.disconnect()
} finally {
  await postgres.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
