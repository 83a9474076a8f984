import { problem, type TenantId } from '@melmastoon/domain'
import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { PaymentMethod, paymentContract } from '@melmastoon/upstream-contracts/payment'

type Methods = OutputOf<typeof paymentContract.operations.listMethods>

export interface SimulatedTenant {
  readonly tenantId: TenantId
  readonly country: string
  readonly paymentMethods: readonly PaymentMethod[]
  isSuspended: boolean
}

const PHONE_PROVIDERS: Readonly<Record<string, string>> = {
  AF: 'hesabpay-test',
  PK: 'easypaisa-test',
  IR: 'shaparak-test',
}

/** The hotels, as far as payments and reservations depend on them. */
export class SimulatedTenants {
  readonly #tenants = new Map<TenantId, SimulatedTenant>()

  add(tenant: SimulatedTenant): void {
    this.#tenants.set(tenant.tenantId, tenant)
  }

  requireSelling(tenantId: TenantId): void {
    const isSuspended = this.#tenants.get(tenantId)?.isSuspended ?? false
    if (isSuspended) throw problem('MELMASTOON.TENANT.SUSPENDED')
  }

  suspend(tenantId: TenantId, isSuspended: boolean): void {
    this.#find(tenantId).isSuspended = isSuspended
  }

  /** The provider of the method. */
  requireMethod(tenantId: TenantId, method: PaymentMethod): string {
    const tenant = this.#find(tenantId)
    if (tenant.isSuspended) throw problem('MELMASTOON.TENANT.SUSPENDED')
    if (tenant.paymentMethods.includes(method)) return providerOf(tenant, method)
    throw problem('MELMASTOON.PAYMENT.METHOD_NOT_OFFERED')
  }

  methods(tenantId: TenantId): Methods {
    const tenant = this.#find(tenantId)
    const methods = tenant.paymentMethods.map((method): Methods['methods'][number] => ({
      method,
      provider: providerOf(tenant, method),
      redirects: method === 'card',
      captureModes: method === 'card' ? ['automatic', 'manual'] : ['automatic'],
    }))
    return { methods }
  }

  #find(tenantId: TenantId): SimulatedTenant {
    const tenant = this.#tenants.get(tenantId)
    if (tenant === undefined) throw problem('MELMASTOON.TENANT.NOT_FOUND')
    return tenant
  }
}

function providerOf({ country }: SimulatedTenant, method: PaymentMethod): string {
  if (method === 'card') return 'adyen-test'
  if (method === 'cash_on_arrival') return 'cash'
  return PHONE_PROVIDERS[country] ?? 'mobilemoney-test'
}
