import { problem, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import type { PaymentOperations } from './intent.ts'
import type { PaymentHost } from './payment-host.ts'

type Methods = OutputOf<PaymentOperations['listMethods']>

const OFFERS: Readonly<Record<PaymentMethod, Omit<Methods['methods'][number], 'method'>>> = {
  card: { redirects: true, captureModes: ['automatic', 'manual'] },
  mobile_money: { redirects: false, captureModes: ['automatic'] },
  cash_on_arrival: { redirects: false, captureModes: ['automatic'] },
}

export async function listMethods(host: PaymentHost, tenantId: TenantId): Promise<Methods> {
  const offered = await offeredBy(host, tenantId)
  return { methods: offered.map((method) => ({ method, ...OFFERS[method] })) }
}

export async function requireMethod(
  host: PaymentHost,
  tenantId: TenantId,
  method: PaymentMethod,
): Promise<void> {
  const offered = await offeredBy(host, tenantId)
  if (!offered.includes(method)) throw problem('MELMASTOON.PAYMENT.METHOD_NOT_OFFERED')
}

async function offeredBy(host: PaymentHost, tenantId: TenantId): Promise<readonly PaymentMethod[]> {
  const tenant = await host.tenant.findTenant(tenantId)
  if (tenant === null) throw problem('MELMASTOON.TENANT.NOT_FOUND')
  const { config } = tenant
  return config.paymentEnabled ? config.paymentMethods : []
}
