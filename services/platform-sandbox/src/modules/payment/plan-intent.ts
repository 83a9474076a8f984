import { type FieldError, idToUuid, newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { WebhookDelivery } from '../../scenarios/scenario-board.ts'
import { minorOf, readAmount } from './amount.ts'
import type { PaymentOperations } from './intent.ts'
import type { NewIntent } from './intent-sql.ts'
import { amountDecline, type CardBehaviour, readCardToken, readPhoneRef } from './magic-values.ts'

type Body = InputOf<PaymentOperations['createIntent']>['body']

/** The time limit for the payer. */
const PAYER_SECONDS = 30 * 60

type Draft = Omit<NewIntent, 'tenant' | 'secretHash' | 'caller' | 'key' | 'intent'>

export interface IntentPlan {
  readonly paymentIntentId: ReturnType<typeof newId<'pyi'>>
  readonly draft: Draft
  /** The card to charge immediately, if the caller sent its token. */
  readonly card: CardBehaviour | null
}

type Way = Pick<Draft, 'status' | 'settleAs' | 'settleAfterSeconds' | 'expireAfterSeconds'> & {
  readonly card: CardBehaviour | null
  readonly webhookDelivery: WebhookDelivery | null
}

/** The complete plan of the request, before anything is written. */
export function planIntent(body: Body): IntentPlan {
  const amountMicro = readAmount(body.amount)
  const { currency } = body.amount
  const { card, ...way } = wayOf(body)
  const declined = amountDecline(minorOf(amountMicro, currency).amountMinor)
  return {
    paymentIntentId: newId('pyi'),
    card,
    draft: {
      ...way,
      settleAs: way.settleAs !== null && declined !== undefined ? 'decline' : way.settleAs,
      reservation: body.reservationId === undefined ? null : idToUuid(body.reservationId),
      draftRef: body.draftRef,
      method: body.method,
      captureMode: body.captureMode,
      currency,
      amountMicro: String(amountMicro),
      cardToken: body.cardToken ?? null,
      phoneRef: body.phoneRef ?? null,
      isChallenged: card?.outcome === 'verify',
      returnUrl: body.returnUrl ?? null,
    },
  }
}

const UNANSWERED = { settleAs: null, settleAfterSeconds: null } as const

function wayOf(body: Body): Way {
  const { method, captureMode, returnUrl, cardToken, phoneRef } = body
  if (method !== 'card' && captureMode === 'manual') throw invalid('/captureMode', 'unsupported')
  if (method !== 'card' && cardToken !== undefined) throw invalid('/cardToken', 'unsupported')
  if (method !== 'mobile_money' && phoneRef !== undefined) throw invalid('/phoneRef', 'unsupported')
  if (returnUrl !== undefined && !URL.canParse(returnUrl)) throw invalid('/returnUrl', 'format')
  switch (method) {
    case 'card':
      return cardWay(body)
    case 'mobile_money':
      return phoneWay(phoneRef)
    case 'cash_on_arrival':
      return {
        ...UNANSWERED,
        status: 'pending_cash',
        expireAfterSeconds: null,
        card: null,
        webhookDelivery: null,
      }
  }
}

function cardWay({ returnUrl, cardToken }: Body): Way {
  if (returnUrl === undefined) throw invalid('/returnUrl', 'required')
  const magic = cardToken === undefined ? null : readCardToken(cardToken)
  if (magic === undefined) throw invalid('/cardToken', 'unknown')
  return {
    ...UNANSWERED,
    status: 'requires_action',
    expireAfterSeconds: PAYER_SECONDS,
    card: magic?.behaviour ?? null,
    webhookDelivery: magic?.webhookDelivery ?? null,
  }
}

function phoneWay(phoneRef: string | undefined): Way {
  if (phoneRef === undefined) throw invalid('/phoneRef', 'required')
  const magic = readPhoneRef(phoneRef)
  if (magic === undefined) throw invalid('/phoneRef', 'unknown')
  const { settleAs, afterSeconds } = magic.behaviour
  return {
    status: 'processing',
    settleAs,
    settleAfterSeconds: afterSeconds,
    expireAfterSeconds: PAYER_SECONDS,
    card: null,
    webhookDelivery: magic.webhookDelivery,
  }
}

function invalid(pointer: string, code: string) {
  const errors: FieldError[] = [{ pointer, code, detail: 'does not fit this payment method' }]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
