import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataRoot, startPostgres } from '@melmastoon/one-machine'
import { eventually } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import type { EventBus, OutboundMessage } from '../../src/bus/index.ts'
import { createDatabase, ensureRoles, migrate, sql } from '../../src/db/index.ts'
import { appendEvents, createRelay } from '../../src/outbox/index.ts'
import { distinct, orderViolations } from './outbox-environment.ts'
import { migrations, note, SCHEMA } from './outbox-schema.ts'

async function ownPostgres() {
  const dataDir = join(dataRoot(), `test-${process.pid}`, `obx-${randomUUID().slice(0, 8)}`)
  const server = await startPostgres({ dataDir, port: 0 })
  await ensureRoles(server.url, SCHEMA)
  await migrate({ url: server.url, schema: SCHEMA, migrations: await migrations() })
  return {
    server,
    url: (role: string) => server.url.replace('postgres@', `${SCHEMA}_${role}@`),
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

it('OBX-12 Postgres restarts between publish and mark: duplicates, no loss', {
  timeout: 60_000,
}, async () => {
  await using postgres = await ownPostgres()
  const onError = () => undefined
  await using app = createDatabase({ url: postgres.url('app'), poolMax: 2, onError })
  await using db = createDatabase({ url: postgres.url('relay'), poolMax: 4, onError })
  const arrived: OutboundMessage[] = []
  let restarts = 0
  const bus: EventBus = {
    async publish(messages) {
      arrived.push(...messages)
      if (restarts === 0) {
        restarts += 1
        await postgres.server.restart()
      }
      return messages.map(() => ({ ok: true }))
    },
    subscribe: () => Promise.reject(new Error('publishes only')),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  }
  await appendEvents(
    app,
    Array.from({ length: 100 }, (_, index) => note(`k${index % 4}`, Math.floor(index / 4))),
  )
  const options = {
    owner: 'restart',
    queues: 1,
    leaseSeconds: 1,
    pollMs: 20,
    publishTimeoutMs: 30_000,
    onError: () => undefined,
  }
  await using relay = createRelay({ db, bus, ...options })
  relay.start()
  await eventually(
    async () => {
      const [row] = await db.query<{ left: number }>(
        sql`select count(*)::int as "left" from outbox`,
      )
      expect(row?.left).toBe(0)
    },
    { timeoutMs: 15_000, intervalMs: 100 },
  )
  const seen = arrived.map((message) => JSON.parse(message.body).payload)
  expect(restarts).toBe(1)
  expect(distinct(arrived.map((message) => message.eventId))).toBe(100)
  expect(arrived.length).toBeLessThanOrEqual(200)
  const order = seen.map(({ noteId, lengthChars }) => ({ noteId, ordinal: lengthChars }))
  expect(orderViolations(order)).toBe(0)
})
