import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream, UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type CurrencyCode,
  microToMinor,
  newId,
  type PropertyId,
  type RoomTypeId,
  type StayDates,
  type TenantId,
} from '@melmastoon/domain'
import { createUpstreamClient } from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { inventoryContract } from '@melmastoon/upstream-contracts/inventory'
import { pricingContract, type Quote } from '@melmastoon/upstream-contracts/pricing'
import { SERVICE_SECRET } from '../harness/start-consumer.ts'
import type { RandomSearch } from './random-search.ts'

/** An offer as a guest sees it. */
export interface SeenOffer {
  readonly propertyId: PropertyId
  readonly tenantId: TenantId
  readonly roomTypeId: RoomTypeId
  readonly ratePlanCode: string
  readonly search: Pick<RandomSearch, 'dates' | 'occupancy' | 'currency'>
  readonly isBookable: boolean
}

/** Quotes and holds of the sandbox, as the booking service requests them. */
export function openPlatform(url: string) {
  const upstream = (name: string) =>
    createUpstream({
      name,
      baseUrl: `${url}/upstreams/${name}`,
      timeoutMs: 10_000,
      retries: 0,
      authorize: sharedSecretAuth('test-service', SERVICE_SECRET).headers,
    })
  const pricing = createUpstreamClient(pricingContract, upstream('pricing'))
  const inventory = createUpstreamClient(inventoryContract, upstream('inventory'))

  /** The code of the rejection where there is no quote. */
  async function quote(offer: SeenOffer): Promise<Quote | string> {
    const { propertyId, tenantId, roomTypeId, ratePlanCode, search } = offer
    const { dates, occupancy, currency } = search
    using deadline = createDeadline(10_000)
    const body = {
      propertyId,
      ratePlanCode,
      rooms: [{ roomTypeId, quantity: occupancy.rooms }],
      stay: dates as StayDates,
      occupancy: { ...occupancy, childrenAges: [...(occupancy.childrenAges ?? [])] },
      displayCurrency: currency as CurrencyCode,
    }
    const call = { deadline, tenantId, idempotencyKey: newId('req') }
    return await pricing.createQuote({ body }, call).catch(codeOf)
  }

  /** Whether the rooms can be held; a hold is released at once. */
  async function canHold(offer: SeenOffer): Promise<boolean> {
    const { propertyId, tenantId, roomTypeId, search } = offer
    using deadline = createDeadline(10_000)
    const body = {
      propertyId,
      items: [{ roomTypeId, rooms: search.occupancy.rooms }],
      stay: search.dates as StayDates,
      holder: newId('req'),
    }
    const call = () => ({ deadline, tenantId, idempotencyKey: newId('req') })
    const held = await inventory.placeHold({ body }, call()).catch(codeOf)
    if (typeof held === 'string') return false
    const { allocationId } = held
    await inventory.releaseHold({ params: { allocationId }, body: {} }, call())
    return true
  }

  return { quote, canHold }
}

export type Platform = ReturnType<typeof openPlatform>

function codeOf(error: unknown): string {
  if (error instanceof UpstreamRejection && error.code !== undefined) return error.code
  throw error
}

/** The total of a quote in minor units, in the currency that was requested. */
export function totalOf({ total, displayTotal }: Quote) {
  const { amountMicro, currency } = displayTotal ?? total
  return microToMinor(amountMicro, currency)
}
