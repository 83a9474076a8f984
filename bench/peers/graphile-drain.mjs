import { Logger, makeWorkerUtils, run } from 'graphile-worker'
import pg from 'pg'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { makeEvents, openStream, timeUntil } from './bus.mjs'

const logger = new Logger(() => () => undefined)
let pgPool
let stream
let settings

async function start({ url, redisUrl, batched }) {
  pgPool = new pg.Pool({ connectionString: url, max: 12 })
  pgPool.on('error', () => undefined)
  pgPool.on('connect', (client) => client.on('error', () => undefined))
  stream = openStream(redisUrl)
  const utils = await makeWorkerUtils({ pgPool, logger })
  await utils.migrate()
  await utils.release()
  settings = batched
    ? {
        concurrentJobs: 500,
        localQueue: { size: 1_000 },
        completeJobBatchDelay: 2,
        failJobBatchDelay: 2,
      }
    : { concurrentJobs: 10 }
}

async function prepare({ count, event }) {
  await stream.clear()
  const jobs = makeEvents(event, count).map((payload) => ({ identifier: 'publish', payload }))
  for (let at = 0; at < count; at += 1_000) {
    await pgPool.query(
      `select graphile_worker.add_jobs(array(
         select row(j->>'identifier', j->'payload', null, null, null, null, null, null)
           ::graphile_worker.job_spec from json_array_elements($1::json) j))`,
      [JSON.stringify(jobs.slice(at, at + 1_000))],
    )
  }
  await pgPool.query('analyze')
}

async function measure({ count }) {
  let published = 0
  const all = Promise.withResolvers()
  const taskList = {
    async publish(event) {
      await stream.add(event)
      published += 1
      if (published === count) all.resolve()
    },
  }
  const done = await timeUntil(async () => {
    const runner = await run({
      preset: { worker: settings },
      pgPool,
      taskList,
      logger,
      noHandleSignals: true,
    })
    await all.promise
    // Published, but not yet completed: that is done in batches, the last one at the end.
    await runner.stop()
  })
  const { rows } = await pgPool.query('select count(*)::int as left from graphile_worker.jobs')
  if (rows[0].left !== 0) throw new Error(`${rows[0].left} jobs are not completed`)
  if ((await stream.length()) !== count) throw new Error('not every event arrived once')
  return done
}

serveCommands({ start, prepare, measure })
