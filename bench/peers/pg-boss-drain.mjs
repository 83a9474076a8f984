import pg from 'pg'
import { PgBoss } from 'pg-boss'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { makeEvents, openStream, timeUntil } from './bus.mjs'

const QUEUE = 'publish'
const BATCH = 500
const LANES = 2
let boss
let stream
let url

async function start(input) {
  url = input.url
  stream = openStream(input.redisUrl)
  boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 12 })
  boss.on('error', () => undefined)
  await boss.start()
  await boss.createQueue(QUEUE)
}

async function prepare({ count, event }) {
  await stream.clear()
  const jobs = makeEvents(event, count).map((data) => ({ data }))
  for (let at = 0; at < count; at += 1_000) await boss.insert(QUEUE, jobs.slice(at, at + 1_000))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  await client.end()
}

async function drainLane() {
  for (;;) {
    const jobs = await boss.fetch(QUEUE, { batchSize: BATCH })
    if (jobs.length === 0) return
    await Promise.all(jobs.map((job) => stream.add(job.data)))
    await boss.complete(
      QUEUE,
      jobs.map((job) => job.id),
    )
  }
}

async function measure({ count }) {
  const lanes = () => Promise.all(Array.from({ length: LANES }, drainLane))
  const done = await timeUntil(lanes)
  if ((await stream.length()) !== count) throw new Error('not every event arrived once')
  return done
}

serveCommands({ start, prepare, measure })
