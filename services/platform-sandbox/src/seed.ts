import { createDatabase } from '@melmastoon/chassis/db'
import { createLogger } from '@melmastoon/chassis/telemetry'
import { readWorldConfig } from './config.ts'
import { SEED_CONNECTIONS } from './seed-batches.ts'
import { OtherWorldError, type Seeded, seedWorld } from './seeding/seed-world.ts'

const BATCH_MS = 120_000

const config = readWorldConfig(process.env)
const { worldSeed: seed, worldProperties: properties, worldStayDays: stayDays } = config
const { worldStaffedHotels: staffed } = config
const logger = createLogger({ service: config.service, level: config.logLevel })
const onError = (error: unknown) => logger.warn({ event: 'dependency', error }, 'database error')
await using db = createDatabase({
  url: withTimeouts(config.relayUrl),
  poolMax: SEED_CONNECTIONS,
  onError,
  connectTimeoutMs: 2 * BATCH_MS,
  responseTimeoutMs: 2 * BATCH_MS,
})
try {
  process.stdout.write(`${summary(await seedWorld(db, { seed, properties, stayDays, staffed }))}\n`)
} catch (error) {
  if (!(error instanceof OtherWorldError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}

/** The time limits of the role are those of requests; a batch takes longer on a busy machine. */
function withTimeouts(relayUrl: string): string {
  const url = new URL(relayUrl)
  const settings = ['statement_timeout', 'idle_in_transaction_session_timeout']
  url.searchParams.set('options', settings.map((name) => `-c ${name}=${BATCH_MS}`).join(' '))
  return url.href
}

function summary({ anchorDate, world, spentMs }: Seeded): string {
  const title = `World ${JSON.stringify(seed)} of ${anchorDate}`
  if (world === null) return `${title}: nothing to add.`
  const { tenants, properties: houses, stays } = world
  const totalMs = Object.values(spentMs).reduce((sum, ms) => sum + ms, 0)
  const steps = Object.entries(spentMs).map(([step, ms]) => `${step} ${ms}`)
  const counts = `${tenants.length} tenants, ${houses.length} properties, ${stays.length} stays`
  return `${title}: ${counts} in ${totalMs} ms (${steps.join(', ')}).`
}
