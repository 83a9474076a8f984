import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { PROBLEMS, problem } from '@melmastoon/domain'
import type { Operation } from '@melmastoon/upstream-contracts'
import { paymentContract } from '@melmastoon/upstream-contracts/payment'
import { pricingContract } from '@melmastoon/upstream-contracts/pricing'
import { guestReservationContract } from '@melmastoon/upstream-contracts/reservation'
import type { Decisions } from './decisions.ts'
import type { Scheduler } from './scheduler.ts'
import type { SimulatedProcess } from './simulated-process.ts'
import type { UpstreamClients } from './simulated-upstream.ts'

export const FAULTS = [
  /** Arrives and is answered at once. */
  'none',
  /** Arrives within the time limit, but after messages that were sent later. */
  'delayed',
  /** Never arrives: the caller's time limit ends. */
  'request_lost',
  /** Arrives; the response does not, and the caller's time limit ends. */
  'response_lost',
  /** The caller's time limit ends before the request arrives. */
  'late',
  /** Arrives a second time, later. */
  'duplicated',
  /** Is rejected by a proxy before it arrives: 5xx. */
  'unavailable',
  /** Arrives; the response does not match the contract. */
  'contract_broken',
  /** The upstream reports that a request with this key is in progress; mutations only. */
  'in_flight',
] as const
export type Fault = (typeof FAULTS)[number]

export interface NetworkOptions {
  readonly scheduler: Scheduler
  /** A fault occurs once in so many calls on average; absent: never. */
  readonly faultOneIn?: number
  /** The time limit of a call. */
  readonly timeoutMs?: number
  /** How long after the time limit a late or duplicated request arrives, at most. */
  readonly lateMsMax?: number
}

/** The network between the processes of a history and the upstreams. */
export class Network {
  /** How often each fault occurred, by operation and fault. */
  readonly occurred = new Map<string, number>()
  /** True at the end of a history: every request is answered. */
  isReliable = false
  /** Faults of the next calls of an operation, before any that are decided. */
  readonly planned = new Map<string, Fault[]>()
  readonly #scheduler: Scheduler
  readonly #faultOneIn: number | undefined
  readonly #timeoutMs: number
  readonly #lateMsMax: number

  constructor({ scheduler, faultOneIn, timeoutMs = 2_000, lateMsMax = 120_000 }: NetworkOptions) {
    this.#scheduler = scheduler
    this.#faultOneIn = faultOneIn
    this.#timeoutMs = timeoutMs
    this.#lateMsMax = lateMsMax
  }

  /** One call, as a task of the caller; `send` is what happens when the request arrives. */
  async call(
    process: SimulatedProcess,
    { label, isMutation }: { readonly label: string; readonly isMutation: boolean },
    send: () => Promise<unknown>,
  ): Promise<unknown> {
    const fault = this.planned.get(label)?.shift() ?? this.#choose(isMutation)
    const note = `${label} ${fault}`
    if (fault !== 'none') this.occurred.set(note, (this.occurred.get(note) ?? 0) + 1)
    const arrive = () => process.task(fault === 'none' ? label : note, send)
    const timeOut = async (): Promise<never> => {
      await process.sleep(this.#timeoutMs)
      throw problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT')
    }
    switch (fault) {
      case 'none':
        return await arrive()
      case 'delayed': {
        const delayMs = 1 + this.#scheduler.decisions.choose(this.#timeoutMs - 1)
        return await process.task(note, send, { delayMs })
      }
      case 'request_lost':
        return await timeOut()
      case 'response_lost':
        await arrive().catch(() => undefined)
        return await timeOut()
      case 'late':
        this.#deliverLate(note, send)
        return await timeOut()
      case 'duplicated':
        this.#deliverLate(note, send)
        return await arrive()
      case 'unavailable':
        await process.task(note, async () => undefined)
        throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
      case 'contract_broken':
        await arrive()
        throw problem('MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN')
      case 'in_flight':
        await process.task(note, async () => undefined)
        throw inFlight(label)
    }
  }

  #deliverLate(label: string, send: () => Promise<unknown>): void {
    const delayMs = this.#timeoutMs + this.#scheduler.decisions.choose(this.#lateMsMax)
    this.#scheduler.deliver(label, send, delayMs)
  }

  #choose(isMutation: boolean): Fault {
    if (this.#faultOneIn === undefined || this.isReliable) return 'none'
    const { decisions } = this.#scheduler
    if (!isOneIn(decisions, this.#faultOneIn)) return 'none'
    const possible = FAULTS.filter((fault) => fault !== 'none')
    const fault = possible[decisions.choose(possible.length)] ?? 'none'
    return fault === 'in_flight' && !isMutation ? 'unavailable' : fault
  }
}

/** The clients of one process, over this network. */
export function lossyClients(
  clients: UpstreamClients,
  network: Network,
  process: SimulatedProcess,
): UpstreamClients {
  const over = <C extends object>(client: C, contract: AnyContract): C => {
    const entries = Object.entries(client).map(([name, send]) => {
      const label = `${contract.upstream}.${name}`
      const isMutation = contract.operations[name]?.idempotent === true
      const call = (input: unknown, options: unknown) =>
        network.call(process, { label, isMutation }, () => (send as AnySend)(input, options))
      return [name, call]
    })
    return Object.fromEntries(entries) as C
  }
  return {
    reservation: over(clients.reservation, guestReservationContract),
    payment: over(clients.payment, paymentContract),
    pricing: over(clients.pricing, pricingContract),
  }
}

interface AnyContract {
  readonly upstream: string
  readonly operations: Readonly<Record<string, Operation>>
}

type AnySend = (input: unknown, options: unknown) => Promise<unknown>

/** 0 means no, so that a shrunk history has few faults. */
function isOneIn(decisions: Decisions, n: number): boolean {
  return decisions.choose(n) === n - 1 && n > 1
}

function inFlight(label: string): UpstreamRejection {
  const code = 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT'
  const { status } = PROBLEMS[code]
  return new UpstreamRejection(label.slice(0, label.indexOf('.')), status, { code, status })
}
