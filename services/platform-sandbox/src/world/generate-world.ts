import { type IsoDate, parseIsoDate } from '@melmastoon/domain'
import { CITIES } from './cities.ts'
import type { City } from './city.ts'
import { toDayNumber } from './day-number.ts'
import { planProperty } from './plan-property.ts'
import { planStays, STAY_DAYS_MIN } from './plan-stays.ts'
import { planTenant } from './plan-tenant.ts'
import { planRich } from './rich/plan-rich.ts'
import { SeededRandom } from './seeded-random.ts'
import type { World, WorldProperty, WorldStay, WorldTenant } from './world.ts'

export interface WorldOptions {
  readonly seed: string
  readonly anchorDate: IsoDate
  /** In addition to those of the detailed tenants. */
  readonly properties: number
  /** As in `World`. */
  readonly stayDays?: number
  /** As many of the generated hotels have a tenant of their own, staff and guests in each room. */
  readonly staffed?: number
}

/** The number of houses per tenant of a country, repeated cyclically. */
const HOUSES_OF_TENANTS = [6, 1, 3, 9, 4, 12, 2, 7, 5, 11]

/**
 * Pure: the seed, the day and the number of properties determine everything. A smaller world is a
 * prefix of a larger one.
 */
export function generateWorld(options: WorldOptions): World {
  const { seed, anchorDate, stayDays = STAY_DAYS_MIN } = options
  const rich = planRich(seed)
  const many = planMany(options, namesTaken(rich.properties))
  const tenants = [...rich.tenants, ...many.tenants]
  const properties = [...rich.properties, ...many.properties]
  return {
    seed,
    anchorDate,
    stayDays,
    tenants,
    properties,
    stays: staysOn(anchorDate, { seed, stayDays, tenants, properties }),
  }
}

type Houses = Omit<World, 'anchorDate' | 'stays'>

/** The stays of these houses as of a day, including those of an earlier day. */
export function staysOn(
  anchorDate: IsoDate,
  { seed, stayDays = STAY_DAYS_MIN, tenants, properties }: Houses,
  earlierDate = anchorDate,
): WorldStay[] {
  const today = toDayNumber(anchorDate)
  const since = toDayNumber(earlierDate)
  const rich = new Set(tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  return properties.flatMap((property) =>
    planStays({ seed, today, since, stayDays, property, isRich: rich.has(property.tenantId) }),
  )
}

type Taken = Map<string, Set<string>>

function namesTaken(properties: readonly WorldProperty[]): Taken {
  const taken: Taken = new Map(CITIES.map(({ key }) => [key, new Set<string>()]))
  for (const { city, name } of properties) taken.get(city)?.add(name.default)
  return taken
}

/** The tenants that have staff, whatever the day. */
export function staffedTenants(options: Omit<WorldOptions, 'anchorDate'>): string[] {
  const { seed } = options
  const anchorDate = parseIsoDate('2026-01-01')
  const rich = planRich(seed)
  const { tenants } = planMany({ ...options, anchorDate }, namesTaken(rich.properties))
  return [...rich.tenants, ...tenants].filter(({ isRich }) => isRich).map(({ slug }) => slug)
}

function planMany(options: WorldOptions, taken: Taken) {
  const { seed, anchorDate, properties: count, staffed = 0 } = options
  const tenants: WorldTenant[] = []
  const properties: WorldProperty[] = []
  const owners = new Map<string, Owner>()
  for (let index = 0; index < count; index += 1) {
    const random = SeededRandom.of(`${seed}:property:${index}`)
    const city = drawCity(random)
    let owner = owners.get(city.country)
    if (owner === undefined || owner.housesLeft === 0) {
      owner = nextOwner(seed, city, { before: owner, isStaffed: index < staffed })
      owners.set(city.country, owner)
      tenants.push(owner.tenant)
    }
    owner.housesLeft -= 1
    const { tenantId } = owner.tenant
    const inCity = taken.get(city.key) ?? new Set()
    const plan = { seed, index, anchorDate, city, tenantId, taken: inCity }
    properties.push(planProperty(random, plan))
  }
  return { tenants, properties }
}

interface Owner {
  readonly tenant: WorldTenant
  readonly ordinal: number
  housesLeft: number
}

interface NextOwner {
  readonly before: Owner | undefined
  readonly isStaffed: boolean
}

/** Tenants have houses in one country only and are created with their first house. */
function nextOwner(seed: string, home: City, { before, isStaffed }: NextOwner): Owner {
  const ordinal = before === undefined ? 0 : before.ordinal + 1
  const tenant = planTenant({ seed, home, ordinal })
  if (isStaffed) return { tenant: { ...tenant, isRich: true }, ordinal, housesLeft: 1 }
  const housesLeft = HOUSES_OF_TENANTS[ordinal % HOUSES_OF_TENANTS.length] ?? 1
  return { tenant, ordinal, housesLeft }
}

const weights = CITIES.reduce<number[]>((sums, { weight }) => {
  sums.push((sums.at(-1) ?? 0) + weight)
  return sums
}, [])

function drawCity(random: SeededRandom): City {
  const draw = random.next() * (weights.at(-1) ?? 0)
  const city = CITIES[weights.findIndex((sum) => draw < sum)]
  if (city === undefined) throw new TypeError('no town has any weight')
  return city
}
