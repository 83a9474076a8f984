import type { CurrencyCode, RoomTypeId, StayDates, TenantId } from '@melmastoon/domain'
import type { PropertyDetail, PropertySummary } from '../property/contract.ts'
import { ContractViolation } from './check.ts'
import type { Clients } from './clients.ts'
import { sampleStay } from './sample.ts'

/** A hotel that has what the scripts need: two available rooms of one type, and card payment. */
export interface TestHotel {
  readonly tenantId: TenantId
  readonly currency: CurrencyCode
  readonly property: PropertyDetail
  readonly roomTypeId: RoomTypeId
  readonly capacity: number
  readonly stay: StayDates
}

const TENANTS_MAX = 100

export async function findTestHotel(clients: Clients, now: Date): Promise<TestHotel> {
  const stay = sampleStay(now)
  const { tenants } = await clients.tenant.listTenants({
    query: { status: 'active', limit: TENANTS_MAX },
  })
  for (const { tenantId } of tenants) {
    const { properties } = await clients.property.listByTenant({ query: {} }, { tenantId })
    const [first] = properties
    if (first === undefined || !(await takesCards(clients, tenantId))) continue
    const room = await findRoom(clients, first, stay)
    if (room === null) continue
    const params = { propertyId: first.propertyId }
    const property = await clients.property.getProperty({ params })
    const { config } = await clients.tenant.getTenant({ params: { tenantId } })
    return { tenantId, currency: config.primaryCurrency, property, ...room, stay }
  }
  throw new ContractViolation(`none of ${tenants.length} tenants has a suitable hotel`)
}

async function takesCards(clients: Clients, tenantId: TenantId): Promise<boolean> {
  const { methods } = await clients.payment.listMethods({}, { tenantId })
  return methods.some(({ method }) => method === 'card')
}

async function findRoom(clients: Clients, property: PropertySummary, stay: StayDates) {
  const { tenantId, propertyId } = property
  const query = { propertyId, from: stay.checkIn, to: stay.checkOut }
  const { roomTypes } = await clients.inventory.availability({ query }, { tenantId })
  const free = roomTypes.find(({ nights }) => nights.every(({ available }) => available >= 2))
  if (free === undefined) return null
  return { roomTypeId: free.roomTypeId, capacity: free.nights[0]?.capacity ?? 0 }
}
