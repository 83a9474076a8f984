import { type BookingSessionId, newId } from '@melmastoon/domain'
import type { PaymentMethod } from '@melmastoon/upstream-contracts/payment'
import type { GuestRequest } from '../environment/guest-requests.ts'
import type { ObservedDraft } from '../environment/observed-rows.ts'
import type { Simulation } from '../environment/simulation.ts'

const METHODS: readonly PaymentMethod[] = ['card', 'mobile_money', 'cash_on_arrival']
/** Pays after 3 seconds, declines, pays after a minute, and never responds. */
const PHONES = ['+93701234567', '+93700000001', '+93700000002', '+93700000003']
const CARDS = ['tok_ok', 'tok_ok', 'tok_3ds', 'tok_decline_lost_card', 'tok_capture_declined']

const pick = <T>(values: readonly T[], at: number): T => {
  const value = values[at % values.length]
  if (value === undefined) throw new TypeError('nothing to choose from')
  return value
}

/** One guest with a session; two tabs act on the same drafts. */
export class Guest {
  readonly sessionId = newId('tnt_session') as BookingSessionId
  readonly #simulation: Simulation
  #keys = 0
  #last: GuestRequest | null = null

  constructor(simulation: Simulation) {
    this.#simulation = simulation
  }

  /** The sensible next action of a guest who sees the present state. */
  next(detail: number): void {
    const draft = this.draft()
    if (draft === undefined) return this.hold()
    switch (draft.state) {
      case 'quoting':
      case 'holding':
        return this.details(detail)
      case 'collecting_details':
        return this.pay(detail)
      case 'paying':
        return this.#continue(detail)
      case 'confirming':
        return detail % 2 === 0 ? this.settle('return') : this.settle('confirm')
      case 'confirmed':
      case 'abandoned':
      case 'failed':
        return this.hold()
    }
  }

  draft(): ObservedDraft | undefined {
    return this.#simulation.rows.drafts.findLast(({ sessionId }) => sessionId === this.sessionId)
  }

  hold(): void {
    const quote = this.#simulation.hotel.quote()
    if (quote !== null) this.#send({ kind: 'hold', quote })
  }

  holdAgain(): void {
    const draft = this.draft()
    const quote = this.#simulation.hotel.quote()
    if (draft === undefined || quote === null) return
    this.#send({ kind: 'hold', quote, draftId: draft.draftId })
  }

  details(detail: number): void {
    const draft = this.draft()
    if (draft === undefined) return
    const { draftId, version } = draft
    this.#send({ kind: 'details', draftId, version, name: detail % 2 ? 'Zarmina Khan' : 'Z. Khan' })
  }

  pay(detail: number): void {
    const draftId = this.draft()?.draftId
    if (draftId === undefined) return
    const method = pick(METHODS, detail)
    this.#send({ kind: 'pay', draftId, method, phone: pick(PHONES, Math.floor(detail / 3)) })
  }

  settle(kind: 'return' | 'confirm' | 'delete' | 'extend'): void {
    const draftId = this.draft()?.draftId
    if (draftId !== undefined) this.#send({ kind, draftId })
  }

  accept(): void {
    const draft = this.draft()
    if (draft === undefined || draft.changedDigest === null) return
    this.#send({ kind: 'accept', draftId: draft.draftId, digest: draft.changedDigest })
  }

  /** The same request with the same key, as a client does after a lost response. */
  repeat(): void {
    if (this.#last !== null) this.#simulation.request(this.#last)
  }

  /** What the guest does at the provider; any intent of the draft, also an older one. */
  payer(detail: number): void {
    const { payments } = this.#simulation.upstream
    const { tenantId } = this.#simulation.hotel
    const draftId = this.draft()?.draftId
    const own = payments.all().filter((intent) => intent.draftRef === draftId)
    const intent = own[own.length - 1 - (detail % 5 === 4 ? 1 : 0)] ?? own.at(-1)
    if (intent === undefined) return
    const { paymentIntentId: id } = intent
    this.#simulation.count(`payer ${intent.method}`)
    if (intent.isChallenged) return payments.verify(tenantId, id)
    const way = detail % 8
    if (way === 6) return payments.decline(tenantId, id)
    if (way === 7) return payments.payLate(tenantId, id, 60_000 + (detail % 7) * 120_000)
    payments.pay(tenantId, id, pick(CARDS, Math.floor(detail / 8)))
  }

  #continue(detail: number): void {
    const draftId = this.draft()?.draftId
    const own = this.#simulation.rows.attempts.filter((attempt) => attempt.draftId === draftId)
    const isOpen = own.some(({ status }) => status === 'open' || status === 'creating')
    if (isOpen) return detail % 6 === 5 ? this.settle('return') : this.payer(detail)
    return detail % 3 === 2 ? this.settle('confirm') : this.pay(detail)
  }

  #send(request: RequestOf<GuestRequest>): void {
    this.#keys += 1
    const { sessionId } = this
    const complete = { ...request, sessionId, key: `key-of-${sessionId}-${this.#keys}` }
    this.#last = complete as GuestRequest
    this.#simulation.request(this.#last)
  }
}

type RequestOf<R> = R extends unknown ? Omit<R, 'key' | 'sessionId'> : never
