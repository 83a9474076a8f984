import { createDatabase } from '@melmastoon/chassis/db'
import { createLogger } from '@melmastoon/chassis/telemetry'
import { readWorldConfig } from './config.ts'
import { OtherWorldError, type Seeded, seedWorld } from './seeding/seed-world.ts'

const config = readWorldConfig(process.env)
const { worldSeed: seed, worldProperties: properties, worldStayDays: stayDays } = config
const { worldStaffedHotels: staffed } = config
const logger = createLogger({ service: config.service, level: config.logLevel })
const onError = (error: unknown) => logger.warn({ event: 'dependency', error }, 'database error')
await using db = createDatabase({ url: config.relayUrl, poolMax: 2, onError })
try {
  process.stdout.write(`${summary(await seedWorld(db, { seed, properties, stayDays, staffed }))}\n`)
} catch (error) {
  if (!(error instanceof OtherWorldError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
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
