import { type ServiceBase, serviceFlags } from '@melmastoon/chassis/service'
import type { TenantId } from '@melmastoon/domain'
import { Type } from 'typebox'

const overridable = {
  /** Longer caches and a wider limit of the tenant during a sale (T18). */
  flashSale: Type.Boolean(),
  /** No new payment intents; payments in progress continue. */
  newIntentsPaused: Type.Boolean(),
}

const BookingFlagsSchema = Type.Object({
  ...overridable,
  /** By subject; without an entry the event's own rate applies. */
  sampleRates: Type.Record(Type.String(), Type.Number({ minimum: 0, maximum: 1 })),
  /** Values for one tenant, which take precedence. */
  tenants: Type.Record(Type.String(), Type.Partial(Type.Object(overridable))),
})

export interface BookingFlags {
  sampleRates(): Readonly<Record<string, number>>
  isFlashSale(tenantId: TenantId): boolean
  areNewIntentsPaused(tenantId: TenantId): boolean
}

export const BOOKING_FLAGS = {
  key: 'bff-tenant-flags',
  schema: BookingFlagsSchema,
  defaults: { sampleRates: {}, flashSale: false, newIntentsPaused: false, tenants: {} },
}

const POLL_MS = 30_000

export function createBookingFlags(base: ServiceBase, pollMs = POLL_MS): BookingFlags {
  const flags = serviceFlags(base, { ...BOOKING_FLAGS, pollMs })
  const valueFor = (name: keyof typeof overridable, tenantId: TenantId) => {
    const { tenants, ...all } = flags.current()
    return tenants[tenantId]?.[name] ?? all[name]
  }
  return {
    sampleRates: () => flags.current().sampleRates,
    isFlashSale: (tenantId) => valueFor('flashSale', tenantId),
    areNewIntentsPaused: (tenantId) => valueFor('newIntentsPaused', tenantId),
  }
}
