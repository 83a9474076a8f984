import { billingContract } from '@melmastoon/upstream-contracts/billing'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { refOf } from './change-folio.ts'
import { closeFolio } from './close-folio.ts'
import type { BillingOperations } from './folio.ts'
import { followPayments } from './follow-payments.ts'
import { followStays } from './follow-stays.ts'
import { postCharge } from './post-charge.ts'
import { findCharge, getFolio, listFolios } from './read-folios.ts'
import { recordPayment } from './record-payment.ts'

export { existingFolios } from './read-folios.ts'

export type BillingModule = ServedModule<BillingOperations>

/** The folios of stays: charges and payments until they are settled and closed. */
export function createBillingModule(host: ModuleHost): BillingModule {
  const { db } = host
  return {
    contract: billingContract,
    subscriptions: [...followStays(host), ...followPayments()],
    handlers: {
      listFolios: (input, { tenantId }) => listFolios(db.scoped(tenantId), input, tenantId),
      getFolio: ({ params }, { tenantId }) =>
        getFolio(db.scoped(tenantId), refOf(tenantId, params.folioId)),
      postCharge: (input, call) => postCharge(host, input, call),
      findCharge: ({ params }, { tenantId }) =>
        findCharge(db.scoped(tenantId), refOf(tenantId, params.folioId), params.causationId),
      recordPayment: (input, call) => recordPayment(host, input, call),
      closeFolio: (input, call) => closeFolio(host, input, call),
    },
  }
}
