import { type FieldError, idToUuid, newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { WebhookDelivery } from '../../scenarios/scenario-board.ts'
import { minorOf, readAmount } from './amount.ts'
import type { PaymentOperations } from './intent.ts'
import type { NewIntent } from './intent-sql.ts'
import {
  amountDecline,
  type CardBehaviour,
  type Magic,
  type PhoneBehaviour,
  readCardToken,
} from './magic-values.ts'

type Body = InputOf<PaymentOperations['createIntent']>['body']

/** The time limit for the payer. */
const PAYER_SECONDS = 30 * 60
/** A late response arrives before the payment expires. */
const LATE_GRACE_SECONDS = 600

type Draft = Omit<NewIntent, 'tenant' | 'provider' | 'secretHash' | 'caller' | 'key' | 'intent'>

export interface IntentPlan {
  readonly paymentIntentId: ReturnType<typeof newId<'pyi'>>
  readonly draft: Draft
  /** The card to charge immediately, if the caller sent its token. */
  readonly card: CardBehaviour | null
  /** What happens to the call itself. */
  readonly transport: Transport
}

export interface Transport {
  /** The caller receives no response. */
  readonly hangs: boolean
  /** The request never reaches the provider. */
  readonly isLost: boolean
}

/** What the request refers to. */
export interface PlanContext {
  readonly phone: Magic<PhoneBehaviour> | undefined
  readonly lateSeconds: number
}

type Way = Pick<Draft, 'status' | 'settleAs' | 'settleAfterSeconds' | 'expireAfterSeconds'> & {
  readonly card: CardBehaviour | null
  readonly transport: Transport
  readonly webhookDelivery: WebhookDelivery | null
}

const RELIABLE: Transport = { hangs: false, isLost: false }

/** The complete plan of the request, before anything is written. */
export function planIntent(body: Body, context: PlanContext): IntentPlan {
  const amountMicro = readAmount(body.amount)
  const { currency } = body.amount
  const { card, transport, ...way } = wayOf(body, context)
  const declined = amountDecline(minorOf(amountMicro, currency).amountMinor)
  return {
    paymentIntentId: newId('pyi'),
    card,
    transport,
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

function wayOf(body: Body, context: PlanContext): Way {
  const { method, captureMode, returnUrl, cardToken, phoneRef } = body
  if (method !== 'card' && captureMode === 'manual') throw invalid('/captureMode', 'unsupported')
  if (method !== 'card' && cardToken !== undefined) throw invalid('/cardToken', 'unsupported')
  if (method !== 'mobile_money' && phoneRef !== undefined) throw invalid('/phoneRef', 'unsupported')
  if (returnUrl !== undefined && !URL.canParse(returnUrl)) throw invalid('/returnUrl', 'format')
  switch (method) {
    case 'card':
      return cardWay(body)
    case 'mobile_money':
      return phoneWay(phoneRef, context)
    case 'cash_on_arrival':
      return {
        ...UNANSWERED,
        status: 'pending_cash',
        expireAfterSeconds: null,
        card: null,
        transport: RELIABLE,
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
    transport: {
      hangs: magic?.behaviour.hangs ?? false,
      isLost: magic?.behaviour.outcome === 'nothing',
    },
    webhookDelivery: magic?.webhookDelivery ?? null,
  }
}

function phoneWay(phoneRef: string | undefined, { phone, lateSeconds }: PlanContext): Way {
  if (phoneRef === undefined) throw invalid('/phoneRef', 'required')
  if (phone === undefined) throw invalid('/phoneRef', 'unknown')
  const { settleAs, afterSeconds, hangs = false, isLost = false } = phone.behaviour
  const settleAfterSeconds = afterSeconds === 'after_hold' ? lateSeconds : afterSeconds
  return {
    status: 'processing',
    settleAs,
    settleAfterSeconds,
    expireAfterSeconds: Math.max(PAYER_SECONDS, (settleAfterSeconds ?? 0) + LATE_GRACE_SECONDS),
    card: null,
    transport: { hangs, isLost },
    webhookDelivery: phone.webhookDelivery,
  }
}

function invalid(pointer: string, code: string) {
  const errors: FieldError[] = [{ pointer, code, detail: 'does not fit this payment method' }]
  return problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
