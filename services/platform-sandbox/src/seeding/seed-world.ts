import { type Clock, systemClock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import type { IsoDate } from '@melmastoon/domain'
import { seedAi } from '../modules/ai/seed-ai.ts'
import { seedBilling } from '../modules/billing/seed-billing.ts'
import { seedHousekeeping } from '../modules/housekeeping/seed-housekeeping.ts'
import { seedIam } from '../modules/iam/seed-iam.ts'
import { seedCapacity, seedSales } from '../modules/inventory/seed-inventory.ts'
import { seedLock } from '../modules/lock/seed-lock.ts'
import { seedMaintenance } from '../modules/maintenance/seed-maintenance.ts'
import { seedNotification } from '../modules/notification/seed-notification.ts'
import { seedPricing } from '../modules/pricing/seed-pricing.ts'
import { seedProperty } from '../modules/property/seed-property.ts'
import { seedReservation } from '../modules/reservation/seed-reservation.ts'
import { seedSearch } from '../modules/search/seed-search.ts'
import { seedOperators } from '../modules/tenant/seed-operators.ts'
import { seedTenant } from '../modules/tenant/seed-tenant.ts'
import { seedTheme } from '../modules/theme/seed-theme.ts'
import { digestWorld, WORLD_VERSION } from '../world/digest-world.ts'
import { generateWorld } from '../world/generate-world.ts'
import { STAY_DAYS_MIN } from '../world/plan-stays.ts'
import type { World } from '../world/world.ts'
import { changesSince } from './changes-since.ts'
import {
  insertSeeded,
  type SeedRun,
  selectSeeded,
  selectSeeds,
  selectToday,
} from './world-seed-sql.ts'

interface Seeder {
  readonly name: string
  readonly seedModule: (db: Database, world: World) => Promise<void>
  /** What a later day adds: nothing, changed stays, or everything again. */
  readonly later: 'nothing' | 'changes' | 'all'
}

/** In dependency order. */
const SEEDERS: readonly Seeder[] = [
  { name: 'tenant', seedModule: seedTenant, later: 'nothing' },
  { name: 'operator', seedModule: seedOperators, later: 'nothing' },
  { name: 'iam', seedModule: seedIam, later: 'nothing' },
  { name: 'theme', seedModule: seedTheme, later: 'nothing' },
  { name: 'property', seedModule: seedProperty, later: 'nothing' },
  { name: 'pricing', seedModule: seedPricing, later: 'all' },
  { name: 'capacity', seedModule: seedCapacity, later: 'all' },
  { name: 'inventory', seedModule: seedSales, later: 'changes' },
  { name: 'reservation', seedModule: seedReservation, later: 'changes' },
  { name: 'billing', seedModule: seedBilling, later: 'all' },
  { name: 'maintenance', seedModule: seedMaintenance, later: 'all' },
  { name: 'housekeeping', seedModule: seedHousekeeping, later: 'all' },
  { name: 'lock', seedModule: seedLock, later: 'changes' },
  { name: 'search', seedModule: seedSearch, later: 'all' },
  { name: 'notification', seedModule: seedNotification, later: 'all' },
  { name: 'ai', seedModule: seedAi, later: 'all' },
]

export interface SeedOptions {
  readonly seed: string
  readonly properties: number
  /** Generated hotels with staff and guests: for an empty database only. */
  readonly staffed?: number
  /** The days before and after today with stays at the detailed hotels. */
  readonly stayDays?: number
  /** Default: today in Kabul, by the database clock. */
  readonly anchorDate?: IsoDate
  readonly clock?: Clock
}

export interface Seeded {
  readonly anchorDate: IsoDate
  /** Null when every module already has this world. */
  readonly world: World | null
  readonly spentMs: Readonly<Record<string, number>>
}

/** Idempotent: existing rows stay, missing ones are added. */
export async function seedWorld(db: Database, options: SeedOptions): Promise<Seeded> {
  const { seed, properties, staffed = 0, stayDays = STAY_DAYS_MIN, clock = systemClock } = options
  await rejectOtherWorld(db, seed)
  const anchorDate = options.anchorDate ?? (await readToday(db))
  const run: SeedRun = { seed, worldVersion: WORLD_VERSION, properties, stayDays, anchorDate }
  const rows = await db.query(selectSeeded(run))
  const latest = new Map(rows.map((row) => [row.module, row.latest]))
  const missing = SEEDERS.filter(({ name }) => latest.get(name) !== anchorDate)
  if (missing.length === 0) return { anchorDate, world: null, spentMs: {} }
  const stopwatch = createStopwatch(clock)
  const world = generateWorld({ seed, anchorDate, properties, stayDays, staffed })
  const digest = digestWorld(world)
  const partFor = createParts(world)
  stopwatch.note('world')
  for (const { name, seedModule, later } of missing) {
    const part = partFor(later, latest.get(name))
    if (part !== null) await seedModule(db, part)
    await db.query(insertSeeded(run, name, digest))
    stopwatch.note(name)
  }
  return { anchorDate, world, spentMs: stopwatch.spentMs }
}

/** The part of today's world that a module seeded on an earlier day lacks. */
function createParts(world: World) {
  const news = new Map<IsoDate, World>()
  return (later: Seeder['later'], latest: IsoDate | undefined): World | null => {
    if (latest === undefined || later === 'all') return world
    if (later === 'nothing') return null
    const part = news.get(latest) ?? changesSince(latest, world)
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

/** Two worlds in one database would conflict in slugs and domains. */
async function rejectOtherWorld(db: Database, seed: string): Promise<void> {
  const others = (await db.query(selectSeeds())).filter((row) => row.seed !== seed)
  if (others.length === 0) return
  const known = others.map((row) => JSON.stringify(row.seed)).join(', ')
  throw new OtherWorldError(
    `The database contains the world of WORLD_SEED ${known}; another seed requires an empty database.`,
  )
}

export class OtherWorldError extends Error {
  override readonly name = 'OtherWorldError'
}
