import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import { seedInventory } from '../modules/inventory/seed-inventory.ts'
import { seedPricing } from '../modules/pricing/seed-pricing.ts'
import { seedProperty } from '../modules/property/seed-property.ts'
import { seedReservation } from '../modules/reservation/seed-reservation.ts'
import { seedSearch } from '../modules/search/seed-search.ts'
import { seedTenant } from '../modules/tenant/seed-tenant.ts'
import { seedTheme } from '../modules/theme/seed-theme.ts'
import { digestWorld, WORLD_VERSION } from '../world/digest-world.ts'
import { generateWorld } from '../world/generate-world.ts'
import type { World } from '../world/world.ts'
import { newsSince } from './news-since.ts'
import { insertSown, type Sowing, selectSeeds, selectSown, selectToday } from './world-seed-sql.ts'

interface Sower {
  readonly name: string
  readonly sow: (db: Database, world: World) => Promise<void>
  /** What a later day brings: nothing, what became of stays, or a new look at everything. */
  readonly later: 'nothing' | 'news' | 'all'
}

/** In the order they need each other. */
const SOWERS: readonly Sower[] = [
  { name: 'tenant', sow: seedTenant, later: 'nothing' },
  { name: 'theme', sow: seedTheme, later: 'nothing' },
  { name: 'property', sow: seedProperty, later: 'nothing' },
  { name: 'pricing', sow: seedPricing, later: 'all' },
  { name: 'inventory', sow: seedInventory, later: 'news' },
  { name: 'reservation', sow: seedReservation, later: 'news' },
  { name: 'search', sow: seedSearch, later: 'all' },
]

export interface SeedOptions {
  readonly seed: string
  readonly properties: number
  /** By default today in Kabul, by the clock of the database. */
  readonly anchorDate?: IsoDate
  readonly clock?: Clock
}

export interface Seeded {
  readonly anchorDate: IsoDate
  /** Null when every module had this world already. */
  readonly world: World | null
  readonly spentMs: Readonly<Record<string, number>>
}

/** Can be repeated and interrupted: what is there stays, what is missing is added. */
export async function seedWorld(db: Database, options: SeedOptions): Promise<Seeded> {
  const { seed, properties, clock = systemClock } = options
  await refuseOtherWorld(db, seed)
  const anchorDate = options.anchorDate ?? (await readToday(db))
  const sowing: Sowing = { seed, worldVersion: WORLD_VERSION, properties, anchorDate }
  const rows = await db.query(selectSown(sowing))
  const latest = new Map(rows.map((row) => [row.module, row.latest]))
  const missing = SOWERS.filter(({ name }) => latest.get(name) !== anchorDate)
  if (missing.length === 0) return { anchorDate, world: null, spentMs: {} }
  const stopwatch = createStopwatch(clock)
  const world = generateWorld({ seed, anchorDate, properties })
  const digest = digestWorld(world)
  const partFor = createParts(world)
  stopwatch.note('world')
  for (const { name, sow, later } of missing) {
    const part = partFor(later, latest.get(name))
    if (part !== null) await sow(db, part)
    await db.query(insertSown(sowing, name, digest))
    stopwatch.note(name)
  }
  return { anchorDate, world, spentMs: stopwatch.spentMs }
}

/** What a module that has the world of an earlier day still lacks of today's. */
function createParts(world: World) {
  const news = new Map<IsoDate, World>()
  return (later: Sower['later'], latest: IsoDate | undefined): World | null => {
    if (latest === undefined || later === 'all') return world
    if (later === 'nothing') return null
    const part = news.get(latest) ?? newsSince(latest, world)
    news.set(latest, part)
    return part
  }
}

function createStopwatch(clock: Clock) {
  const spentMs: Record<string, number> = {}
  let from = clock.monotonicMs()
  return {
    spentMs,
    note(step: string) {
      const now = clock.monotonicMs()
      spentMs[step] = Math.round(now - from)
      from = now
    },
  }
}

async function readToday(db: Database): Promise<IsoDate> {
  const [row] = await db.query(selectToday())
  if (row === undefined) throw new TypeError('the database has no clock')
  return row.today
}

/** Two worlds in one database would meet in slugs and domains. */
async function refuseOtherWorld(db: Database, seed: string): Promise<void> {
  const others = (await db.query(selectSeeds())).filter((row) => row.seed !== seed)
  if (others.length === 0) return
  const known = others.map((row) => JSON.stringify(row.seed)).join(', ')
  throw new OtherWorldError(
    `The database holds the world of WORLD_SEED ${known}; another needs an empty database.`,
  )
}

export class OtherWorldError extends Error {
  override readonly name = 'OtherWorldError'
}
