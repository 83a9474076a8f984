import { problem, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import type { Tenant } from '@melmastoon/upstream-contracts/tenant'
import type { PaymentOperations } from './intent.ts'
import type { PaymentHost } from './payment-host.ts'
import { providerOf } from './providers.ts'

type Methods = OutputOf<PaymentOperations['listMethods']>

type Offer = Omit<Methods['methods'][number], 'method' | 'provider'>

const OFFERS: Readonly<Record<PaymentMethod, Offer>> = {
  card: { redirects: true, captureModes: ['automatic', 'manual'] },
  mobile_money: { redirects: false, captureModes: ['automatic'] },
  cash_on_arrival: { redirects: false, captureModes: ['automatic'] },
}

export async function listMethods(host: PaymentHost, tenantId: TenantId): Promise<Methods> {
  const tenant = await knownTenant(host, tenantId)
  const methods = offeredBy(tenant).map((method) => {
    return { method, provider: providerOf(method, tenant.country), ...OFFERS[method] }
  })
  return { methods }
}

/**
 * The provider of the method. A suspended hotel accepts no new payments; existing ones can still be
 * captured or refunded.
 */
export async function requireMethod(
  host: PaymentHost,
  tenantId: TenantId,
  method: PaymentMethod,
): Promise<string> {
  const tenant = await knownTenant(host, tenantId)
  if (tenant.status !== 'active') throw problem('MELMASTOON.TENANT.SUSPENDED')
  const offered = offeredBy(tenant)
  if (!offered.includes(method)) throw problem('MELMASTOON.PAYMENT.METHOD_NOT_OFFERED')
  return providerOf(method, tenant.country)
}

async function knownTenant(host: PaymentHost, tenantId: TenantId): Promise<Tenant> {
  const tenant = await host.tenant.findTenant(tenantId)
  if (tenant === null) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  return tenant
}

function offeredBy({ config }: Tenant): readonly PaymentMethod[] {
  return config.paymentEnabled ? config.paymentMethods : []
}
