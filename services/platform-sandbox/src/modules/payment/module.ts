import type { Id, TenantId } from '@melmastoon/domain'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { ModuleHost, ServedModule } from '../../module.ts'
import { cancelIntent, captureIntent, confirmCash } from './change-intent.ts'
import { createIntent } from './create-intent.ts'
import { getByKey, getIntent } from './get-intent.ts'
import type { PaymentOperations, StoredIntent } from './intent.ts'
import { listMethods } from './list-methods.ts'
import { createPageLinks } from './page-links.ts'
import type { PageAddress, PaymentHost, PaymentSiblings } from './payment-host.ts'
import { type RecentPayment, type RecentWebhook, recentPayments, recentWebhooks } from './recent.ts'
import { createRefund, listRefunds } from './refund-intent.ts'
import { startPaymentWorkers } from './start-payment-workers.ts'
import {
  openPage,
  type PageLink,
  type PageOutcome,
  type PageSubmission,
  submitPage,
} from './submit-page.ts'
import { tokenizePhone } from './tokenize-phone.ts'
import { resendWebhook } from './webhooks/webhook-worker.ts'

export { MAGIC_VALUES, type MagicValue } from './magic-values.ts'
export { PAGE_STYLE } from './page/page-style.ts'
export { renderNotFound, renderPage } from './page/render-page.ts'
export type { RecentPayment, RecentWebhook } from './recent.ts'
export { PAGE_ACTIONS, type PageAction, type PageLink } from './submit-page.ts'

/** A late payment is made this long after the hold on the room has expired. */
const AFTER_HOLD_SECONDS = 2

export interface PaymentModule extends ServedModule<PaymentOperations> {
  /** The payment page. */
  readonly page: {
    open(link: PageLink): Promise<StoredIntent>
    submit(link: PageLink, submission: PageSubmission): Promise<PageOutcome>
    /** The URL with the secret, for the person who acts as the payer. */
    urlOf(page: PageAddress): string
  }
  /** Of all tenants, newest first. */
  recentPayments(): Promise<RecentPayment[]>
  recentWebhooks(): Promise<RecentWebhook[]>
  resendWebhook(tenantId: TenantId, webhookId: Id<'whk'>): Promise<void>
}

/** A fake payment provider that can fail on demand. No money is charged. */
export function createPaymentModule(
  moduleHost: ModuleHost,
  { tenant }: PaymentSiblings,
): PaymentModule {
  const { db, relayDb, registry, config } = moduleHost
  const links = createPageLinks(config.publicUrl, config.secrets.idempotency.reveal())
  const lateSeconds = config.holdSeconds + AFTER_HOLD_SECONDS
  const phoneKey = config.secrets.idempotency.reveal()
  const host: PaymentHost = { db, registry, tenant, links, lateSeconds, phoneKey }
  return {
    contract: paymentContract,
    handlers: paymentHandlers(host),
    page: {
      open: (link) => openPage(host, link),
      submit: (link, submission) => submitPage(host, link, submission),
      urlOf: (page) => links.urlOf(page),
    },
    recentPayments: () => recentPayments(relayDb),
    recentWebhooks: () => recentWebhooks(relayDb),
    resendWebhook: (tenantId, webhookId) => resendWebhook(db, tenantId, webhookId),
    start: async () => startPaymentWorkers(moduleHost),
  }
}

function paymentHandlers(host: PaymentHost): PaymentModule['handlers'] {
  return {
    createIntent: (input, call) => createIntent(host, input, call),
    tokenizePhone: (input, call) => tokenizePhone(host, input, call),
    getIntent: ({ params }, { tenantId, locale }) =>
      getIntent(host, { tenantId, ...params }, locale),
    getByKey: ({ params }, { tenantId, caller, locale }) =>
      getByKey(host, { tenantId, caller, key: params.key }, locale),
    captureIntent: ({ params, body }, call) => captureIntent(host, { params, call }, body.amount),
    cancelIntent: ({ params, body }, call) => cancelIntent(host, { params, call }, body.reasonCode),
    confirmCash: ({ params }, call) => confirmCash(host, { params, call }),
    createRefund: (input, call) => createRefund(host, input, call),
    listRefunds: ({ params }, { tenantId }) => listRefunds(host, { tenantId, ...params }),
    listMethods: (_input, { tenantId }) => listMethods(host, tenantId),
  }
}
