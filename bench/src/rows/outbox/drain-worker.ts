import { streamKey } from '@melmastoon/chassis/bus'
import { sql } from '@melmastoon/chassis/db'
import { appendEvents, createRelay } from '@melmastoon/chassis/outbox'
import { relayMetrics } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import { registry } from '@melmastoon/testkit/example-events'
import { exampleContext } from '../../harness/example-worker.ts'
import { buildEvent, makeNotes } from '../../harness/note-events.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

const BATCH = 500
const SUBJECT = 'melmastoon.example.note.placed.v1'
const ctx = exampleContext()
const tenantId = newId('tnt')
const relay = createRelay({
  db: ctx.relayDb,
  bus: ctx.bus,
  owner: 'bench',
  announcements: ctx.announcements,
  validate: (message) => registry.validate(message),
  contractOf: (subject) => registry.contractOf(subject),
  metrics: relayMetrics(ctx.metrics),
  onError: (error) => console.error(error),
})

async function prepare({ count }: { count: number }): Promise<void> {
  await ctx.sessionRedis.del(streamKey(SUBJECT))
  for (let left = count; left > 0; left -= BATCH) {
    const notes = makeNotes(Math.min(BATCH, left), tenantId)
    await appendEvents(
      ctx.db,
      notes.map(({ event }) => event),
    )
  }
  await ctx.relayDb.query(sql`select 1`)
}

async function measure({ count }: { count: number }) {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  const { published } = await relay.drainOnce()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  const arrived = await ctx.sessionRedis.xlen(streamKey(SUBJECT))
  if (published !== count || arrived !== count) throw new Error(`${arrived} of ${count} arrived`)
  return { cpuUs: user + system, wallMs, p50Ms: Number.NaN, p99Ms: Number.NaN }
}

/** Events at a steady rate; the time of each from its cause to the bus, by one clock. */
async function lag({ perSecond, seconds }: { perSecond: number; seconds: number }) {
  await ctx.sessionRedis.del(streamKey(SUBJECT))
  relay.start()
  const sent = await sendSteadily(perSecond, seconds)
  await arrival(sent)
  await relay.stop()
  const entries = await ctx.sessionRedis.xrange(streamKey(SUBJECT), '-', '+')
  return entries.map(([id, pairs]) => {
    const body = JSON.parse(pairs[pairs.indexOf('b') + 1] ?? '') as {
      envelope: { occurredAt: string }
    }
    return Number(id.split('-')[0]) - Date.parse(body.envelope.occurredAt)
  })
}

async function sendSteadily(perSecond: number, seconds: number): Promise<number> {
  const total = perSecond * seconds
  const startedAt = performance.now()
  const writes: Promise<void>[] = []
  while (writes.length < total) {
    const due = Math.min(total, Math.floor(((performance.now() - startedAt) / 1000) * perSecond))
    while (writes.length < due) {
      writes.push(appendEvents(ctx.db, [buildEvent(tenantId, newId('wsh'))]))
    }
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
  await Promise.all(writes)
  return total
}

async function arrival(count: number): Promise<void> {
  for (let tries = 0; tries < 1_000; tries += 1) {
    if ((await ctx.sessionRedis.xlen(streamKey(SUBJECT))) >= count) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('the events did not arrive')
}

serveCommands({ prepare, measure, lag })
