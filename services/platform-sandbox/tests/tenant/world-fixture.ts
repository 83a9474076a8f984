import { type IsoDate, newId } from '@melmastoon/domain'
import type { World, WorldTenant } from '../../src/world/world.ts'

const NAMES = { default: 'Hotel', localized: { 'ps-AF': 'هوټل', 'fa-AF': 'هوتل' } }

/** Tenants only; some with their own domain. */
export function worldOf(tenants: number): World {
  return {
    seed: 'test',
    anchorDate: '2026-03-01' as IsoDate,
    tenants: Array.from({ length: tenants }, (_, index) => worldTenant(index)),
    properties: [],
    stays: [],
  }
}

function worldTenant(index: number): WorldTenant {
  return {
    tenantId: newId('tnt'),
    slug: `hotel-${index}`,
    legalName: `Hotel ${index} Ltd`,
    displayName: NAMES,
    tagline: NAMES,
    country: 'AF',
    region: 'asia-south1',
    customDomains: index % 10 === 0 ? [`hotel-${index}.example`] : [],
    timeZone: 'Asia/Kabul',
    locales: ['en', 'ps-AF', 'fa-AF'],
    defaultLocale: 'fa-AF',
    currencies: ['AFN', 'USD'],
    primaryCurrency: 'AFN',
    paymentMethods: ['cash_on_arrival'],
    isRich: index % 10 === 0,
    brand: { hue: (index * 7) % 360, layoutPreset: 'quiet', radiusPx: 8 },
  }
}
