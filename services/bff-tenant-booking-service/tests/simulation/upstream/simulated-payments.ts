import type { Clock } from '@melmastoon/chassis/clock'
import { type PaymentIntentId, problem, type TenantId, toIsoDateTime } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type {
  Intent,
  PaymentWebhook,
  paymentContract,
  Refund,
} from '@melmastoon/upstream-contracts/payment'
import type { AuditLog, IntentChange } from './audit-log.ts'
import { applyChange, minorOf, type PaymentChange, readAmount, ruleOf } from './payment-moves.ts'
import type { NewId } from './simulated-ids.ts'
import type { SimulatedTenants } from './simulated-tenants.ts'
import {
  approvalOf,
  chargeOf,
  declineOf,
  invalid,
  rejectDeclined,
  type StoredIntent,
  sameRequest,
  showIntent,
} from './stored-intent.ts'
import { amountDecline, cardOf, phoneOf, phoneRefOf } from './test-payers.ts'

type Operations = typeof paymentContract.operations
type CreateBody = InputOf<Operations['createIntent']>['body']

const SECOND_MS = 1_000
const PAYER_MS = 30 * 60 * SECOND_MS
/** A response that is due does not find the payment expired. */
const GRACE_MS = 10 * 60 * SECOND_MS
const AUTHORIZATION_MS = 7 * 24 * 3_600 * SECOND_MS

interface Call {
  readonly tenantId: TenantId
  readonly key: string
}

type By = IntentChange['by']

export interface PaymentDeps {
  readonly clock: Clock
  readonly newId: NewId
  readonly audit: AuditLog
  readonly tenants: SimulatedTenants
}

/** The payments of the sandbox, in memory, with the same table of transitions. */
export class SimulatedPayments {
  /** Not yet delivered, in the order of the changes; who delivers them may lose or reorder them. */
  readonly webhooks: PaymentWebhook[] = []
  readonly #deps: PaymentDeps
  readonly #intents = new Map<PaymentIntentId, StoredIntent>()
  readonly #refunds: Refund[] = []
  readonly #phoneRefs = new Map<string, string>()

  constructor(deps: PaymentDeps) {
    this.#deps = deps
  }

  all(): StoredIntent[] {
    return [...this.#intents.values()]
  }

  create({ body }: InputOf<Operations['createIntent']>, { tenantId, key }: Call): Intent {
    const amountMicro = readAmount(body.amount)
    const way = this.#wayOf(tenantId, body)
    const provider = this.#deps.tenants.requireMethod(tenantId, body.method)
    const earlier = this.all().find((other) => other.tenantId === tenantId && other.key === key)
    if (earlier !== undefined) return showIntent(sameRequest(earlier, body))
    const stored: StoredIntent = {
      ...way,
      tenantId,
      paymentIntentId: this.#deps.newId('pyi'),
      reservationId: body.reservationId,
      draftRef: body.draftRef,
      method: body.method,
      provider,
      captureMode: body.captureMode,
      currency: body.amount.currency,
      cardToken: body.cardToken,
      version: 1,
      amountMicro,
      capturedMicro: 0n,
      refundedMicro: 0n,
      declineCode: null,
      createdAtMs: this.#deps.clock.nowMs(),
      key,
    }
    this.#intents.set(stored.paymentIntentId, stored)
    this.#note(stored, null, 'service')
    const change = body.cardToken === undefined ? null : chargeOf(stored, body.cardToken)
    return showIntent(change === null ? stored : this.#move(stored, change, 'service'))
  }

  get(tenantId: TenantId, id: PaymentIntentId): Intent {
    return showIntent(this.find(tenantId, id))
  }

  getByKey(tenantId: TenantId, key: string): Intent {
    const found = this.all().find((other) => other.tenantId === tenantId && other.key === key)
    if (found === undefined) throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
    return showIntent(found)
  }

  capture(
    { params, body }: InputOf<Operations['captureIntent']>,
    { tenantId }: Pick<Call, 'tenantId'>,
    by: By = 'service',
  ): Intent {
    const before = this.find(tenantId, params.paymentIntentId)
    if (before.status === 'authorized') rejectDeclined(before)
    const amountMicro =
      body.amount === undefined ? undefined : readAmount(body.amount, before.currency)
    const change = { move: 'capture', ...(amountMicro !== undefined && { amountMicro }) } as const
    return showIntent(this.#move(before, change, by))
  }

  cancel(
    { params, body }: InputOf<Operations['cancelIntent']>,
    { tenantId }: Pick<Call, 'tenantId'>,
  ): Intent {
    const before = this.find(tenantId, params.paymentIntentId)
    const change = { move: 'cancel', reasonCode: body.reasonCode } as const
    return showIntent(this.#move(before, change, 'service'))
  }

  receiveCash(tenantId: TenantId, id: PaymentIntentId): Intent {
    return showIntent(this.#move(this.find(tenantId, id), { move: 'receive_cash' }, 'staff'))
  }

  refund(
    { params, body }: InputOf<Operations['createRefund']>,
    { tenantId }: Pick<Call, 'tenantId'>,
    by: By = 'service',
  ): OutputOf<Operations['createRefund']> {
    const before = this.find(tenantId, params.paymentIntentId)
    const amountMicro = readAmount(body.amount, before.currency)
    const isRest = before.refundedMicro + amountMicro === before.capturedMicro
    const { reasonCode } = body
    const move = isRest ? 'refund_rest' : 'refund_part'
    const after = this.#move(before, { move, amountMicro, reasonCode }, by)
    const refund = {
      refundId: this.#deps.newId('rfd'),
      paymentIntentId: after.paymentIntentId,
      amount: { amountMicro: String(amountMicro), currency: after.currency },
      reasonCode,
      createdAt: toIsoDateTime(this.#deps.clock.now()),
    }
    this.#refunds.push(refund)
    return { refund, intent: showIntent(after) }
  }

  listRefunds(tenantId: TenantId, id: PaymentIntentId): OutputOf<Operations['listRefunds']> {
    this.find(tenantId, id)
    return { refunds: this.#refunds.filter((refund) => refund.paymentIntentId === id) }
  }

  tokenizePhone(tenantId: TenantId, phone: string): { phoneRef: string } {
    this.#deps.tenants.requireMethod(tenantId, 'mobile_money')
    const phoneRef = `phone_of_${phone.slice(1)}`
    this.#phoneRefs.set(`${tenantId} ${phoneRef}`, phoneRefOf(phone))
    return { phoneRef }
  }

  /** What the payer does on the page of the provider, or on the phone. */
  pay(tenantId: TenantId, id: PaymentIntentId, card = 'tok_ok'): void {
    const intent = this.#open(tenantId, id)
    if (intent === null) return
    if (intent.method === 'mobile_money') return void this.#decide(intent, 'approve')
    const chosen = this.#replace({ ...intent, cardToken: intent.cardToken ?? card })
    if (chosen.isChallenged) return
    const change = chargeOf(chosen, chosen.cardToken ?? card)
    if (change === null) this.#replace({ ...chosen, isChallenged: true })
    else this.#move(chosen, change, 'payer')
  }

  /** The second step of a card that requires one. */
  verify(tenantId: TenantId, id: PaymentIntentId): void {
    const intent = this.#open(tenantId, id)
    if (intent?.isChallenged === true) this.#decide(intent, 'approve')
  }

  decline(tenantId: TenantId, id: PaymentIntentId): void {
    const intent = this.#open(tenantId, id)
    if (intent !== null) this.#decide(intent, 'decline')
  }

  /** The payer has agreed; the result follows after this time. */
  payLate(tenantId: TenantId, id: PaymentIntentId, afterMs: number): void {
    const intent = this.#open(tenantId, id)
    if (intent?.status !== 'requires_action' || intent.isChallenged) return
    const settleAtMs = this.#deps.clock.nowMs() + afterMs
    const expiresAtMs = Math.max(intent.expiresAtMs ?? 0, settleAtMs + GRACE_MS)
    const moved = this.#move(intent, { move: 'wait' }, 'payer')
    this.#replace({ ...moved, settleAs: 'approve', settleAtMs, expiresAtMs })
  }

  /** The provider takes the money of a payment that had ended without: not a transition (E9). */
  settleAnyway(tenantId: TenantId, id: PaymentIntentId): void {
    const ended = this.find(tenantId, id)
    const revived = { ...ended, status: 'processing', declineCode: null } as const
    this.#move(this.#replace(revived), { move: 'settle' }, 'payer')
  }

  /** The periodic jobs of the upstream: responses that are due, then expiries. */
  runJobs(): void {
    for (const intent of this.all()) {
      const isDue = intent.settleAtMs !== null && intent.settleAtMs <= this.#deps.clock.nowMs()
      const isWaiting = intent.status === 'processing' && !this.#isOverdue(intent)
      if (isDue && isWaiting) this.#decide(intent, intent.settleAs ?? 'approve')
    }
    const overdue = this.all().filter((intent) => this.#isOverdue(intent))
    for (const intent of overdue) {
      this.#move(intent, { move: 'expire', reasonCode: 'expired' }, 'clock')
    }
  }

  /** Moves the time at which the payment expires or is answered, if it has one. */
  setTimes(
    tenantId: TenantId,
    id: PaymentIntentId,
    times: { readonly expiresAtMs?: number; readonly settleAtMs?: number },
  ): void {
    const intent = this.find(tenantId, id)
    const { expiresAtMs = intent.expiresAtMs, settleAtMs = intent.settleAtMs } = times
    this.#replace({
      ...intent,
      expiresAtMs: intent.expiresAtMs === null ? null : expiresAtMs,
      settleAtMs: intent.settleAtMs === null ? null : settleAtMs,
    })
  }

  find(tenantId: TenantId, id: PaymentIntentId): StoredIntent {
    const found = this.#intents.get(id)
    if (found?.tenantId === tenantId) return found
    throw problem('MELMASTOON.PAYMENT.INTENT_NOT_FOUND')
  }

  #open(tenantId: TenantId, id: PaymentIntentId): StoredIntent | null {
    const intent = this.find(tenantId, id)
    const isWaiting =
      intent.status === 'requires_action' ||
      (intent.status === 'processing' && intent.method === 'mobile_money')
    return isWaiting && !this.#isOverdue(intent) ? intent : null
  }

  #decide(intent: StoredIntent, decision: 'approve' | 'decline'): StoredIntent {
    const declined = declineOf(intent) ?? (decision === 'decline' ? 'refused_by_payer' : undefined)
    const change =
      declined === undefined
        ? approvalOf(intent)
        : ({ move: 'fail', reasonCode: declined } as const)
    return this.#move(intent, change, 'payer')
  }

  #isOverdue({ expiresAtMs }: StoredIntent): boolean {
    return expiresAtMs !== null && expiresAtMs <= this.#deps.clock.nowMs()
  }

  #move(before: StoredIntent, change: PaymentChange, by: By): StoredIntent {
    const after = applyChange(before, change, this.#isOverdue(before))
    const nowMs = this.#deps.clock.nowMs()
    const { expiry } = ruleOf(change.move)
    const moved = this.#replace({
      ...after,
      settleAs: null,
      settleAtMs: null,
      expiresAtMs:
        expiry === 'retained'
          ? before.expiresAtMs
          : expiry === 'as_authorization'
            ? nowMs + AUTHORIZATION_MS
            : null,
    })
    this.#note(moved, before.status, by)
    this.webhooks.push({
      id: this.#deps.newId('whk'),
      type: `payment_intent.${moved.status}`,
      tenantId: moved.tenantId,
      data: { intent: showIntent(moved, null) },
      occurredAt: toIsoDateTime(this.#deps.clock.now()),
    })
    return moved
  }

  #replace(intent: StoredIntent): StoredIntent {
    this.#intents.set(intent.paymentIntentId, intent)
    return intent
  }

  #note(intent: StoredIntent, from: IntentChange['from'], by: By): void {
    const { tenantId, paymentIntentId, draftRef, status: to, currency } = intent
    const { amountMicro, capturedMicro, refundedMicro } = intent
    const money = { amountMicro, capturedMicro, refundedMicro, currency }
    const change = { kind: 'intent', paymentIntentId, draftRef, from, to, by } as const
    this.#deps.audit.add(tenantId, { ...change, ...money })
  }

  #wayOf(tenantId: TenantId, body: CreateBody) {
    const { method, captureMode, returnUrl, cardToken, phoneRef } = body
    const isInvalid =
      (method !== 'card' && (captureMode === 'manual' || cardToken !== undefined)) ||
      (method !== 'mobile_money' && phoneRef !== undefined)
    if (isInvalid) throw invalid()
    const none = { isChallenged: false, settleAs: null, settleAtMs: null } as const
    const expiresAtMs = this.#deps.clock.nowMs() + PAYER_MS
    if (method === 'cash_on_arrival') {
      return { ...none, status: 'pending_cash', expiresAtMs: null } as const
    }
    if (method === 'card') {
      const card = cardToken === undefined ? null : cardOf(cardToken)
      if (returnUrl === undefined || card === undefined) throw invalid()
      const isChallenged = card?.outcome === 'verify'
      return { ...none, isChallenged, status: 'requires_action', expiresAtMs } as const
    }
    return {
      ...none,
      status: 'processing',
      expiresAtMs,
      ...this.#phoneWay(body, tenantId),
    } as const
  }

  #phoneWay({ phoneRef = '', amount }: CreateBody, tenantId: TenantId) {
    const phone = phoneOf(this.#phoneRefs.get(`${tenantId} ${phoneRef}`) ?? phoneRef)
    if (phone === undefined) throw invalid()
    const declined = amountDecline(minorOf(BigInt(amount.amountMicro), amount.currency))
    const { afterSeconds } = phone
    const nowMs = this.#deps.clock.nowMs()
    return {
      settleAs: declined === undefined ? phone.settleAs : ('decline' as const),
      settleAtMs: afterSeconds === null ? null : nowMs + afterSeconds * SECOND_MS,
    }
  }
}
