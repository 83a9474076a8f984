import { type PropertyId, parseIsoDate, type TenantId } from '@melmastoon/domain'
import type { StaffStay } from '../reservation/contract.ts'
import { ContractViolation } from './check.ts'
import type { Clients } from './clients.ts'

/** Guests who can be checked in now: they arrive today and their rooms are ready. */
export interface Arrivals {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly stays: readonly StaffStay[]
}

const TENANTS_MAX = 100
/** The response contains the date of today at the hotel. */
const ANY_DATE = parseIsoDate('2026-01-01')

/** A hotel with at least this many arrivals of today in rooms that are ready. */
export async function findArrivals(clients: Clients, count: number): Promise<Arrivals> {
  const query = { status: 'active', limit: TENANTS_MAX } as const
  const { tenants } = await clients.tenant.listTenants({ query })
  for (const { tenantId } of tenants) {
    const { properties } = await clients.property.listByTenant({ query: {} }, { tenantId })
    for (const { propertyId } of properties) {
      const hotel = { tenantId, propertyId }
      const stays = await readyArrivals(clients, hotel)
      if (stays.length >= count) return { ...hotel, stays }
    }
  }
  throw new ContractViolation(`no hotel has ${count} arrivals of today in rooms that are ready`)
}

async function readyArrivals(
  { reservation }: Clients,
  { tenantId, propertyId }: Omit<Arrivals, 'stays'>,
): Promise<StaffStay[]> {
  const params = { propertyId }
  const arrivalsOn = (date: StaffStay['checkIn']) =>
    reservation.listForDay({ params, query: { view: 'arrivals', date } }, { tenantId })
  const { today } = await arrivalsOn(ANY_DATE)
  const { stays } = await arrivalsOn(today)
  const ready: StaffStay[] = []
  for (const stay of stays.filter(({ status }) => status === 'confirmed')) {
    const of = { params: { reservationId: stay.reservationId } }
    const { rooms } = await reservation.availableRooms(of, { tenantId })
    const free = new Set(rooms.filter(({ isReady }) => isReady).map(({ roomId }) => roomId))
    const isReady = stay.rooms.length > 0 && stay.rooms.every(({ roomId }) => free.has(roomId))
    if (isReady) ready.push(stay)
  }
  return ready
}
