import { newId } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import {
  type Tenant,
  type TenantSettings,
  tenantContract,
} from '@melmastoon/upstream-contracts/tenant'
import { clientFor } from '../start-sandbox.ts'

export const SETTINGS: TenantSettings = {
  timeZone: 'Asia/Kabul',
  locales: ['en', 'ps-AF', 'fa-AF'],
  defaultLocale: 'fa-AF',
  currencies: ['AFN', 'USD'],
  primaryCurrency: 'AFN',
  paymentMethods: ['cash_on_arrival', 'card'],
  paymentEnabled: true,
  checkInTime: '14:00',
  checkOutTime: '12:00',
  policies: {
    privacy: { default: 'We store what a stay requires.', localized: { 'ps-AF': 'محرمیت' } },
    terms: { default: 'Be kind.' },
    accessibility: { default: 'There is a ramp.' },
  },
}

type CreateTenantBody = InputOf<(typeof tenantContract.operations)['createTenant']>['body']

export function tenantBody(changes: Partial<CreateTenantBody> = {}): CreateTenantBody {
  return {
    slug: `hotel-${newId('tnt').slice(-12).toLowerCase()}`,
    legalName: 'Hotel Ltd',
    displayName: { default: 'Hotel', localized: { 'ps-AF': 'هوټل' } },
    country: 'AF',
    region: 'asia-south1',
    config: SETTINGS,
    ...changes,
  }
}

/** A new tenant over HTTP, and the call options to act on its behalf. */
export async function makeTenant(url: string, changes: Partial<CreateTenantBody> = {}) {
  const client = clientFor(tenantContract, url)
  const tenant: Tenant = await client.createTenant(
    { body: tenantBody(changes) },
    { idempotencyKey: newId('req') },
  )
  const own = () => ({ tenantId: tenant.tenantId, idempotencyKey: newId('req') })
  return { tenant, own, params: { tenantId: tenant.tenantId } }
}
