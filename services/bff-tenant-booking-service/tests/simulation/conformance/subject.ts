import type { Deadline } from '@melmastoon/chassis/clock'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { newId, type PaymentIntentId, type ReservationId } from '@melmastoon/domain'
import type { Intent } from '@melmastoon/upstream-contracts/payment'
import type { UpstreamClients } from '../simulated-upstream.ts'
import { normalizer } from './normalize.ts'
import type { Digest, PaymentStep, StayStep, Step } from './steps.ts'
import type { World } from './world.ts'

/** What a caller cannot do: payers, time and operators. */
export interface Operator {
  expireHold(reservationId: ReservationId): Promise<void>
  sweepHolds(): Promise<void>
  expireIntent(id: PaymentIntentId): Promise<void>
  settleDue(id: PaymentIntentId): Promise<void>
  pay(intent: Intent, action: string, card: string): Promise<void>
  suspend(isSuspended: boolean): Promise<void>
  /** Rooms held and sold per type and night, and every webhook, oldest first per payment. */
  inspect(): Promise<{ readonly nights: unknown; readonly webhooks: readonly unknown[] }>
}

export interface Implementation {
  readonly clients: Pick<UpstreamClients, 'reservation' | 'payment'>
  readonly operator: Operator
}

const UNKNOWN = { rsv: newId('rsv'), pyi: newId('pyi') }
const WRONG = `sha256:${'0'.repeat(64)}`
const GUEST = { fullName: 'Zarmina Yusufzai', email: 'zarmina@example.org' }

/** One implementation during one sequence, with the ids of what it created. */
export class Subject {
  readonly #implementation: Implementation
  readonly #world: World
  readonly #reservations: ReservationId[] = []
  readonly #intents: PaymentIntentId[] = []
  readonly #normalize = normalizer()
  #phoneRef = 'phone_silent'

  constructor(implementation: Implementation, world: World) {
    this.#implementation = implementation
    this.#world = world
  }

  /** The response in a form that is equal for equal behaviour. */
  async perform(step: Step): Promise<unknown> {
    try {
      return this.#normalize({ value: (await this.#run(step)) ?? null })
    } catch (error) {
      if (!(error instanceof UpstreamRejection)) throw error
      return this.#normalize({ status: error.status, ...pickProblem(error.document) })
    }
  }

  async finalState(): Promise<unknown> {
    const { reservation, payment } = this.#implementation.clients
    const call = this.#call()
    const state = await this.#implementation.operator.inspect()
    const reservations = await Promise.all(
      this.#reservations.map((reservationId) =>
        reservation.get({ params: { reservationId } }, call),
      ),
    )
    const intents = await Promise.all(
      this.#intents.map((paymentIntentId) =>
        payment.getIntent({ params: { paymentIntentId } }, call),
      ),
    )
    return this.#normalize({ reservations, intents, ...state })
  }

  async #run(step: Step): Promise<unknown> {
    switch (step.kind) {
      case 'hold':
      case 'extend':
      case 'cancel':
      case 'reprice':
      case 'confirm':
      case 'get':
      case 'reservation_by_key':
        return await this.#runStay(step)
      case 'expire_hold':
        return await this.#operate(this.#reservations[step.which], 'expireHold')
      case 'sweep':
        return await this.#implementation.operator.sweepHolds()
      case 'suspend':
        return await this.#implementation.operator.suspend(step.isSuspended)
      case 'expire_intent':
        return await this.#operateOnIntent(step.which, 'expireIntent')
      case 'settle_due':
        return await this.#operateOnIntent(step.which, 'settleDue')
      case 'payer':
        return await this.#pay(step)
      case 'create_intent':
      case 'capture':
      case 'refund':
      case 'cancel_intent':
      case 'receive_cash':
      case 'get_intent':
      case 'list_refunds':
      case 'intent_by_key':
      case 'tokenize_phone':
      case 'list_methods':
        return await this.#runPayment(step)
    }
  }

  async #runStay(step: StayStep): Promise<unknown> {
    const { reservation } = this.#implementation.clients
    if (step.kind === 'reservation_by_key') {
      return await reservation.getByKey({ params: { key: keyOf(step.key) } }, this.#call())
    }
    if (step.kind === 'hold') return await this.#hold(step)
    const params = { reservationId: this.#reservations[step.which] ?? UNKNOWN.rsv }
    if (step.kind === 'get') return await reservation.get({ params }, this.#call())
    const call = this.#call(step.key)
    switch (step.kind) {
      case 'extend':
        return await reservation.extend({ params, body: {} }, call)
      case 'cancel':
        return await reservation.cancel({ params, body: { reasonCode: 'guest_left' } }, call)
      case 'reprice': {
        const quote = this.#quote(step.quote)
        const expectedDigest = step.digest === 'right' ? quote.digest : WRONG
        const body = { quoteId: quote.quoteId, expectedDigest }
        return await reservation.reprice({ params, body }, call)
      }
      case 'confirm':
        return await this.#confirm(step, params)
    }
  }

  async #hold({ quote: no, draft, digest, key, inSession }: Extract<Step, { kind: 'hold' }>) {
    const quote = this.#quote(no)
    const draftId = this.#world.drafts[draft] ?? newId('bdr')
    const body = {
      quoteId: quote.quoteId,
      draftId,
      guestLocale: 'ps-AF' as const,
      ...(inSession && { session: 'one-visitor' }),
      ...expected(digest, quote.digest),
    }
    const held = await this.#implementation.clients.reservation.hold({ body }, this.#call(key))
    if (!this.#reservations.includes(held.reservationId))
      this.#reservations.push(held.reservationId)
    return held
  }

  async #confirm(
    { digest, intent, key }: Extract<Step, { kind: 'confirm' }>,
    params: { reservationId: ReservationId },
  ) {
    const { reservation } = this.#implementation.clients
    const current = await reservation.get({ params }, this.#call()).catch(() => undefined)
    const expectedDigest = digest === 'right' ? (current?.digest ?? WRONG) : WRONG
    const paymentIntentId = this.#intents[intent]
    const payment = { method: 'card' as const, ...(paymentIntentId && { paymentIntentId }) }
    const body = { guest: GUEST, payment, expectedDigest }
    return await reservation.confirm({ params, body }, this.#call(key))
  }

  async #runPayment(step: PaymentStep): Promise<unknown> {
    const { payment } = this.#implementation.clients
    if (step.kind === 'list_methods') return await payment.listMethods({}, this.#call())
    if (step.kind === 'intent_by_key') {
      return await payment.getByKey({ params: { key: keyOf(step.key) } }, this.#call())
    }
    if (step.kind === 'create_intent') return await this.#createIntent(step)
    if (step.kind === 'tokenize_phone') {
      const { phone } = step
      const { phoneRef } = await payment.tokenizePhone({ body: { phone } }, this.#call(step.key))
      this.#phoneRef = phoneRef
      return null
    }
    const params = { paymentIntentId: this.#intents[step.which] ?? UNKNOWN.pyi }
    if (step.kind === 'get_intent') return await payment.getIntent({ params }, this.#call())
    if (step.kind === 'list_refunds') return await payment.listRefunds({ params }, this.#call())
    return await this.#changeIntent(step, params)
  }

  async #changeIntent(
    step: Extract<Step, { kind: 'capture' | 'refund' | 'cancel_intent' | 'receive_cash' }>,
    params: { paymentIntentId: PaymentIntentId },
  ): Promise<unknown> {
    const { payment } = this.#implementation.clients
    const call = this.#call(step.key)
    switch (step.kind) {
      case 'capture': {
        const amount = step.amountMicro === null ? {} : { amount: afn(step.amountMicro) }
        return await payment.captureIntent({ params, body: amount }, call)
      }
      case 'refund': {
        const amount = afn(step.amountMicro ?? '500000000')
        return await payment.createRefund({ params, body: { amount, reasonCode: 'late' } }, call)
      }
      case 'cancel_intent':
        return await payment.cancelIntent({ params, body: { reasonCode: 'guest_left' } }, call)
      case 'receive_cash':
        return await payment.confirmCash({ params, body: {} }, call)
    }
  }

  async #createIntent(step: Extract<Step, { kind: 'create_intent' }>) {
    const { method, captureMode, amountMicro, key } = step
    const source = step.source === 'phone_tokenized' ? this.#phoneRef : step.source
    const reservationId = this.#reservations[0]
    const body = {
      draftRef: 'draft',
      method,
      captureMode,
      amount: afn(amountMicro),
      ...(reservationId !== undefined && { reservationId }),
      ...(method === 'card' && { returnUrl: 'https://hotel.example/back' }),
      ...(source?.startsWith('tok_') && { cardToken: source }),
      ...(source?.startsWith('phone_') && { phoneRef: source }),
    }
    const created = await this.#implementation.clients.payment.createIntent(
      { body },
      this.#call(key),
    )
    if (!this.#intents.includes(created.paymentIntentId)) {
      this.#intents.push(created.paymentIntentId)
    }
    return created
  }

  async #pay({ which, action, card }: Extract<Step, { kind: 'payer' }>) {
    const paymentIntentId = this.#intents[which]
    if (paymentIntentId === undefined) return
    const { payment } = this.#implementation.clients
    const intent = await payment.getIntent({ params: { paymentIntentId } }, this.#call())
    if (intent.nextAction?.kind !== 'redirect') return
    await this.#implementation.operator.pay(intent, action, card)
  }

  async #operate(id: ReservationId | undefined, action: 'expireHold') {
    if (id !== undefined) await this.#implementation.operator[action](id)
  }

  async #operateOnIntent(which: number, action: 'expireIntent' | 'settleDue') {
    const id = this.#intents[which]
    if (id !== undefined) await this.#implementation.operator[action](id)
  }

  #quote(no: number) {
    const quote = this.#world.quotes[no]
    if (quote === undefined) throw new TypeError(`no quote ${no}`)
    return quote
  }

  #call(key = 0) {
    const { tenantId } = this.#world
    return { tenantId, idempotencyKey: keyOf(key), deadline: DEADLINE }
  }
}

/** The sandbox responds within the time limit of the test. */
const DEADLINE: Deadline = {
  signal: new AbortController().signal,
  remainingMs: () => 20_000,
  [Symbol.dispose]: () => undefined,
}

function keyOf(no: number): string {
  return `conformance-key-${no}`
}

function afn(amountMicro: string) {
  return { amountMicro, currency: 'AFN' as const }
}

function expected(digest: Digest, right: string) {
  if (digest === 'none') return {}
  return { expectedDigest: digest === 'right' ? right : WRONG }
}

/** The members of a problem that callers decide by. */
function pickProblem(document: unknown) {
  const { code, declineCode, current, currentDigest, previous } = document as Record<
    string,
    unknown
  >
  return { code, declineCode, current, currentDigest, previous }
}
