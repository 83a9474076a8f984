import { LOCALIZED } from './property-responses.ts'
import type { UpstreamState } from './types.ts'

export function tenantOf({ hotels, suspended }: UpstreamState, id: string) {
  const hotel = hotels.find(({ tenantId }) => tenantId === id)
  if (hotel === undefined) return {}
  const now = new Date().toISOString()
  return {
    tenantId: hotel.tenantId,
    slug: hotel.name.toLowerCase().replaceAll(' ', '-'),
    legalName: hotel.name,
    displayName: LOCALIZED(hotel.name),
    status: suspended.has(hotel.tenantId) ? 'suspended' : 'active',
    country: 'AF',
    region: hotel.deliveryRegion,
    customDomains: [],
    config: {
      version: 1,
      timeZone: 'Asia/Kabul',
      locales: ['en'],
      defaultLocale: 'en',
      currencies: ['AFN'],
      primaryCurrency: 'AFN',
      paymentMethods: ['cash_on_arrival'],
      paymentEnabled: true,
      checkInTime: '14:00',
      checkOutTime: '11:00',
      policies: {
        privacy: LOCALIZED('Private'),
        terms: LOCALIZED('Terms'),
        accessibility: LOCALIZED('Open'),
      },
    },
    createdAt: now,
    updatedAt: now,
  }
}
