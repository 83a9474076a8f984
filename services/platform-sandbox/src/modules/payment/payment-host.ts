import type { Database } from '@melmastoon/chassis/db'
import type { Locale, PaymentIntentId, TenantId } from '@melmastoon/domain'
import type { ModuleHost } from '../../module.ts'
import type { TenantModule } from '../tenant/module.ts'

export interface PaymentSiblings {
  readonly tenant: Pick<TenantModule, 'findTenant'>
}

/** What the operations of this module depend on. */
export interface PaymentHost {
  readonly db: Database
  readonly registry: ModuleHost['registry']
  readonly tenant: PaymentSiblings['tenant']
  readonly links: PageLinks
  /** How long after the payer's consent a late payment is made: the hold has then expired. */
  readonly lateSeconds: number
  /** Of the references of phone numbers. */
  readonly phoneKey: string
}

export interface PageLinks {
  /** Unguessable, and always the same for the same payment. */
  secretOf(paymentIntentId: PaymentIntentId): string
  urlOf(page: PageAddress): string
}

export interface PageAddress {
  readonly tenantId: TenantId
  readonly paymentIntentId: PaymentIntentId
  readonly locale: Locale
}
