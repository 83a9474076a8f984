import type { Database } from '@melmastoon/chassis/db'
import { addDays, idToUuid, nightsBetween } from '@melmastoon/domain'
import { SeededRandom } from '../../world/seeded-random.ts'
import type { World, WorldStay } from '../../world/world.ts'
import { worldId } from '../../world/world-id.ts'
import { selectAllocationIds } from '../inventory/module.ts'
import { advanceFolios, type SeededCharge, type SeededFolio, seedFolios } from './seed-sql.ts'

const ROWS_MAX = 2_000
/** Folios of stays that ended or begin within this many days; others are created on check-in. */
const NEAR_DAYS = 30

const STATUSES: Readonly<Partial<Record<WorldStay['status'], SeededFolio['status']>>> = {
  confirmed: 'pending',
  in_house: 'open',
  checked_out: 'closed',
}

const EXTRAS = [
  { category: 'restaurant', description: 'Dinner' },
  { category: 'minibar', description: 'Minibar' },
  { category: 'laundry', description: 'Laundry' },
  { category: 'transport', description: 'Airport transfer' },
] as const

/**
 * After `seedReservation`: folios of the detailed hotels, from a month ago to a month ahead.
 * Idempotent, also with the world of a later day, whose whole world is needed.
 */
export async function seedBilling(db: Database, world: World): Promise<void> {
  const folios = nearStays(world).flatMap((stay) => toFolio(world.seed, stay))
  for (let from = 0; from < folios.length; from += ROWS_MAX) {
    const some = await withRooms(db, folios.slice(from, from + ROWS_MAX))
    const added = new Set((await db.query(seedFolios(some))).map((row) => row.folio_id))
    const known = some.filter((folio) => !added.has(folio.folio_id))
    if (known.length > 0) await db.query(advanceFolios(known.map(statusOf)))
  }
}

function statusOf({ tenant_id, folio_id, status }: SeededFolio) {
  return { tenant_id, folio_id, status }
}

/** A stay without rooms, because others had booked them, has no reservation either. */
async function withRooms(db: Database, folios: readonly SeededFolio[]): Promise<SeededFolio[]> {
  const rows = await db.query(
    selectAllocationIds(
      folios.map((folio) => folio.tenant_id),
      folios.map((folio) => folio.folio_id),
    ),
  )
  const allocated = new Set(rows.map((row) => row.allocation_id))
  return folios.filter((folio) => allocated.has(folio.folio_id))
}

function nearStays({ tenants, stays, anchorDate }: World): WorldStay[] {
  const rich = new Set(tenants.filter(({ isRich }) => isRich).map(({ tenantId }) => tenantId))
  const [first, last] = [addDays(anchorDate, -NEAR_DAYS), addDays(anchorDate, NEAR_DAYS)]
  return stays.filter(
    ({ tenantId, checkIn, checkOut }) => rich.has(tenantId) && checkOut >= first && checkIn <= last,
  )
}

function toFolio(seed: string, stay: WorldStay): SeededFolio[] {
  const status = STATUSES[stay.status]
  if (status === undefined) return []
  const { tenantId, propertyId, reservationId, currency } = stay
  const random = SeededRandom.of(`${seed}:folio:${reservationId}`)
  const charges = [roomCharge(seed, stay), ...drawExtras(random, seed, stay)]
  return [
    {
      tenant_id: idToUuid(tenantId),
      folio_id: idToUuid(reservationId),
      property_id: idToUuid(propertyId),
      status,
      currency,
      charges,
      paid_micro: String(drawPaid(random, status, charges)),
    },
  ]
}

function roomCharge(seed: string, { reservationId, totalMicro }: WorldStay): SeededCharge {
  const charge = idToUuid(worldId('chg', seed, `${reservationId}:0`))
  const amount_micro = String(totalMicro)
  return { charge_id: charge, amount_micro, category: 'room', description: 'Stay' }
}

/** Up to three, of 5 to 20 percent of a night each; none before arrival. */
function drawExtras(random: SeededRandom, seed: string, stay: WorldStay): SeededCharge[] {
  if (stay.status === 'confirmed') return []
  const nightMicro = stay.totalMicro / BigInt(nightsBetween(stay))
  return Array.from({ length: random.int(0, 3) }, (_, index) => {
    const share = (nightMicro * BigInt(random.int(5, 20))) / 100n
    return {
      charge_id: idToUuid(worldId('chg', seed, `${stay.reservationId}:${index + 1}`)),
      amount_micro: String(wholeUnits(share)),
      ...random.pick(EXTRAS),
    }
  })
}

function wholeUnits(micro: bigint): bigint {
  const units = micro / 1_000_000n
  return (units > 0n ? units : 1n) * 1_000_000n
}

/** Guests in house have paid nothing, some of the stay, or all of it. */
function drawPaid(
  random: SeededRandom,
  status: SeededFolio['status'],
  charges: readonly SeededCharge[],
): bigint {
  const amounts = charges.map((charge) => BigInt(charge.amount_micro))
  const [roomMicro = 0n] = amounts
  if (status === 'pending') return 0n
  if (status === 'closed') return amounts.reduce((sum, amount) => sum + amount, 0n)
  return random.pick([0n, wholeUnits(roomMicro / 2n), roomMicro])
}
