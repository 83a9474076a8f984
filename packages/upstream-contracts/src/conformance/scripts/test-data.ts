import { newId } from '@melmastoon/domain'
import type { Tenant, TenantSettings } from '../../tenant/contract.ts'
import type { Clients } from '../clients.ts'
import type { TestHotel } from '../find-test-hotel.ts'

const SETTINGS: TenantSettings = {
  timeZone: 'Asia/Kabul',
  locales: ['en', 'ps-AF', 'fa-AF'],
  defaultLocale: 'en',
  currencies: ['AFN', 'USD'],
  primaryCurrency: 'AFN',
  paymentMethods: ['cash_on_arrival', 'mobile_money'],
  paymentEnabled: true,
  checkInTime: '14:00',
  checkOutTime: '12:00',
  policies: {
    privacy: { default: 'No data is stored.' },
    terms: { default: 'Test tenant, not bookable.' },
    accessibility: { default: 'No property exists.' },
  },
}

/** A tenant of its own for the script, so that its changes affect no other tenant. */
export function makeTenant({ tenant }: Clients): Promise<Tenant> {
  const slug = `conformance-${newId('tnt').slice(-16).toLowerCase()}`
  return tenant.createTenant({
    body: {
      slug,
      legalName: 'Conformance Ltd',
      displayName: { default: 'Conformance' },
      country: 'AF',
      region: 'asia-south1',
      config: SETTINGS,
    },
  })
}

export function makeQuote({ pricing }: Clients, testHotel: TestHotel) {
  const { tenantId, property, roomTypeId, stay } = testHotel
  const body = {
    propertyId: property.propertyId,
    rooms: [{ roomTypeId, quantity: 1 }],
    stay,
    occupancy: { adults: 1, children: 0, rooms: 1 },
  }
  return pricing.createQuote({ body }, { tenantId })
}
