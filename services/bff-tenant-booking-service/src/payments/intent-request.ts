import { type Locale, microToMinor } from '@melmastoon/domain'
import type { EventContext, OutboxEvent } from '@melmastoon/events'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { paymentContract } from '@melmastoon/upstream-contracts/payment'
import type { Draft } from '../drafts/draft.ts'
import { registry } from '../events/registry.ts'
import type { PaymentAttempt } from './attempt.ts'

type CreateIntent = (typeof paymentContract)['operations']['createIntent']

/** The body of the creation; the same in every attempt, because it comes from stored values. */
export function intentRequest(
  draft: Draft,
  attempt: PaymentAttempt,
): InputOf<CreateIntent>['body'] {
  const { method, amount, captureMode, returnUrl, phoneRef } = attempt
  return {
    reservationId: draft.reservationId,
    draftRef: draft.id,
    method,
    amount,
    captureMode,
    ...(returnUrl !== null && { returnUrl }),
    ...(phoneRef !== null && { phoneRef }),
  }
}

/** The provider's page is in the language of the call that creates or reads its address. */
export function inLanguageOf<C extends object>(
  { locale }: PaymentAttempt,
  call: C,
): C & { readonly locale?: Locale } {
  return locale === null ? call : { ...call, locale }
}

/** Published once per intent, with the statement that first stores its id. */
export function intentCreatedEvent(
  attempt: PaymentAttempt,
  draft: Draft,
  cause: EventContext,
): OutboxEvent {
  const { intentId, method, provider, amount, nextAction } = attempt
  if (intentId === null) throw new TypeError('an intent without an id')
  const { amountMinor, currency } = microToMinor(amount.amountMicro, amount.currency)
  return registry.build(
    'melmastoon.bff.tenant.payment_intent.created.v1',
    {
      tenantId: draft.tenantId,
      draftId: draft.id,
      intentId,
      method,
      provider,
      amountMinor,
      currency,
      redirectFlow: nextAction?.kind === 'redirect',
      createdAt: cause.occurredAt.toISOString(),
    },
    cause,
  )
}
