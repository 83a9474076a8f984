import { isDeepStrictEqual } from 'node:util'
import type { Clock } from '@melmastoon/chassis/clock'
import { isProblem, type PaymentIntentId } from '@melmastoon/domain'
import { type KeyRing, signWebhook } from '@melmastoon/security'
import type { PaymentWebhook } from '@melmastoon/upstream-contracts/payment'
import { acceptWebhook } from '../../../src/checkout/receive-webhook.ts'
import { pollOnce } from '../../../src/fulfilment/poll-fulfilments.ts'
import { sweepDrafts } from '../../../src/sweeping/sweep-drafts.ts'
import type { Decisions } from '../decisions.ts'
import { Invariants } from '../invariants/check-invariants.ts'
import type { Observation, ShownResponse, Violation } from '../invariants/observation.ts'
import { lossyClients, Network } from '../lossy-clients.ts'
import { Scheduler, type SchedulerOptions, type TraceEntry } from '../scheduler.ts'
import type { Activity, SimulatedProcess } from '../simulated-process.ts'
import { createSimulatedUpstream, type UpstreamClients } from '../simulated-upstream.ts'
import { DueTimer } from './due-timer.ts'
import { overlappingClaims, staleWrites } from './guarded-writes.ts'
import { type GuestRequest, handle } from './guest-requests.ts'
import { openHotel } from './hotel.ts'
import type { RequestOutcome } from './keyed-request.ts'
import { noteDecisions } from './note-decisions.ts'
import {
  nextDraftMs,
  nextRecordMs,
  OBSERVED,
  type ObservedName,
  type ObservedRows,
  readable,
} from './observed-rows.ts'
import { type ProcessDeps, processDeps, WEBHOOK_KEYS } from './process-deps.ts'
import type { Rewrite } from './simulated-statements.ts'
import type { SimulationStore } from './simulation-store.ts'

export interface SimulationOptions {
  readonly store: SimulationStore
  readonly decisions: Decisions
  readonly capacity?: number
  readonly crashOneIn?: number | undefined
  readonly crashAt?: SchedulerOptions['crashAt']
  /** A process stops before this statement for so long. */
  readonly pauseAt?: ((label: string, process: string) => number) | undefined
  /** Violations that a control expects besides the one that it looks for. */
  readonly ignored?: readonly string[]
  readonly faultOneIn?: number | undefined
  /** A process stops for longer than a lease, once in so many statements. */
  readonly pauseOneIn?: number | undefined
  readonly taskMsMax?: number
  readonly tasksMax?: number
  /** Switches a guard off. */
  readonly rewrite?: Rewrite | undefined
  readonly changeClients?: ((clients: UpstreamClients) => UpstreamClients) | undefined
}

export class InvariantViolation extends Error {
  override readonly name = 'InvariantViolation'
  readonly ids: readonly string[]

  constructor(violations: readonly Violation[]) {
    super(violations.map(({ id, detail }) => `${id}: ${detail}`).join('; '))
    this.ids = violations.map(({ id }) => id)
  }
}

interface Slot {
  process: SimulatedProcess
  deps: ProcessDeps
  /** The calendar of this machine minus that of the database. */
  offsetMs: number
}

const NO_ROWS: ObservedRows = { drafts: [], records: [], attempts: [], events: [] }
const LEASE_OVER_MS = 12_000
const LAGS_MS = [0, 0, 1_000, 30_000, 300_000]
/** A draft that was postponed stays due, and the sweeper runs once a minute. */
const SWEEP_LAGS_MS = [5_000, 60_000]
/** At the end few looks suffice: each must find everything that is due. */
const CALM_LAGS_MS = [1_000, 240_000]

/** The processes of the service, the upstreams and the guests of one history. */
export class Simulation {
  readonly scheduler: Scheduler
  readonly upstream: ReturnType<typeof createSimulatedUpstream>
  readonly hotel: ReturnType<typeof openHotel>
  readonly network: Network
  /** What happened, for coverage. */
  readonly happened = new Map<string, number>()
  readonly responses: ShownResponse[] = []
  readonly slots: Slot[] = []
  /** Intents whose later changes only a webhook tells. */
  readonly sureWebhooks = new Set<PaymentIntentId>()
  rows: ObservedRows = NO_ROWS
  isSuspended = false
  /** The poller, the sweeper and webhooks run by themselves; tests of single orders start them. */
  isAutomatic = true
  /** Derives the keys of processes that are started from now on. */
  fulfilmentKeys: KeyRing | undefined = undefined
  readonly #options: SimulationOptions
  readonly #invariants = new Invariants()
  readonly #notes: { readonly before: number; readonly text: string }[] = []
  readonly #stale: Violation[] = []
  readonly #changed = new Set<ObservedName>()
  #isCalm = false
  #observedAudit = 0
  readonly #timers: readonly DueTimer[]

  constructor(options: SimulationOptions) {
    this.#options = options
    const { decisions, crashOneIn, crashAt, faultOneIn, taskMsMax = 5, tasksMax = 4_000 } = options
    this.scheduler = new Scheduler({
      decisions,
      crashOneIn,
      crashAt,
      taskMsMax,
      tasksMax,
      afterTask: (entry) => this.#afterTask(entry),
      onCrash: (process) => this.#restart(process),
    })
    const lagsMs = () => (this.#isCalm ? CALM_LAGS_MS : LAGS_MS)
    this.#timers = [
      { dueMs: () => nextRecordMs(this.rows), lagsMs, run: () => this.poll() },
      { dueMs: () => nextDraftMs(this.rows), lagsMs: () => SWEEP_LAGS_MS, run: () => this.sweep() },
    ].map((job) => new DueTimer(this.scheduler, job))
    const { clock } = this.scheduler
    this.upstream = createSimulatedUpstream(clock)
    this.network = new Network({
      scheduler: this.scheduler,
      ...(faultOneIn !== undefined && { faultOneIn }),
    })
    this.hotel = openHotel(this.upstream, { capacity: options.capacity ?? 1, now: clock.now() })
    for (const name of ['a', 'b']) this.slots.push(this.#start(name, 0))
  }

  /** One of the processes receives the request; which one is decided. */
  request(request: GuestRequest, slot = this.#choose()): Activity<RequestOutcome> {
    const { process, deps } = slot
    return process.spawn(request.kind, async () => {
      const firstNo = this.#attemptsOf(request).at(-1)?.no ?? 0
      try {
        const outcome = await handle({ deps, process, hotel: this.hotel }, request)
        this.#show(request, outcome)
        return outcome
      } catch (error) {
        this.#reject(request, { error, firstNo })
        throw error
      }
    })
  }

  receive(webhook: PaymentWebhook, slot = this.#choose()): Activity<void> {
    const { paymentIntentId } = webhook.data.intent
    const isKnown = this.rows.attempts.some(({ intentId }) => intentId === paymentIntentId)
    if (!isKnown) this.count('webhook before the intent id')
    const body = Buffer.from(JSON.stringify(webhook))
    const signature = signWebhook(WEBHOOK_KEYS, body, this.scheduler.clock.now())
    return slot.process.spawn('webhook', () => acceptWebhook(slot.deps, { body, signature }))
  }

  poll(slot = this.#choose()): Activity<unknown> {
    return slot.process.spawn('poll', () => pollOnce(slot.deps, new AbortController().signal))
  }

  sweep(slot = this.#choose()): Activity<unknown> {
    return slot.process.spawn('sweep', () => sweepDrafts(slot.deps, new AbortController().signal))
  }

  /** Without faults and crashes. */
  get isCalm(): boolean {
    return this.#isCalm
  }

  set isCalm(isCalm: boolean) {
    this.#isCalm = isCalm
    this.scheduler.crashes = !isCalm
    this.network.isReliable = isCalm
  }

  /**
   * Faults end, clocks are right again, and everything due is done: otherwise the only process left
   * could reject every webhook by its date. @throws InvariantViolation
   */
  async drain(): Promise<void> {
    this.isCalm = true
    for (const slot of this.slots) slot.offsetMs = 0
    this.isAutomatic = true
    await this.#look()
    this.#wake()
    await this.scheduler.runToEnd()
    await this.#look()
    await this.#expectCurrentRows()
    this.#check(this.#invariants.conclude(this.#observation()))
  }

  suspend(isSuspended: boolean): void {
    this.isSuspended = isSuspended
    this.upstream.tenants.suspend(this.hotel.tenantId, isSuspended)
  }

  count(event: string): void {
    this.happened.set(event, (this.happened.get(event) ?? 0) + 1)
  }

  /** Something that is no task, for the story of a failure. */
  note(text: string): void {
    this.#notes.push({ before: this.scheduler.trace.length, text })
  }

  /** What happened, in order. */
  story(): string {
    const lines = this.scheduler.trace.flatMap(({ atMs, process, label, outcome }, at) => [
      ...this.#notes.filter(({ before }) => before === at).map(({ text }) => `* ${text}`),
      `${(atMs / 1_000).toFixed(3)} ${process ?? '-'} ${label} → ${outcome}`,
    ])
    return lines.join('\n')
  }

  #start(name: string, offsetMs: number): Slot {
    const process = this.scheduler.process(name)
    const { store, rewrite, changeClients = (clients) => clients } = this.#options
    const slot = { process, offsetMs } as Slot
    slot.deps = processDeps({
      store,
      process,
      rewrite,
      clients: changeClients(lossyClients(this.upstream.clients, this.network, process)),
      clock: this.#clockOf(slot),
      databaseClock: this.scheduler.clock,
      isSuspended: () => this.isSuspended,
      onWrite: ({ statement, hasEffect, written }) => {
        for (const name of written) this.#changed.add(name)
        this.#stale.push(...staleWrites({ statement, hasEffect, before: this.rows }))
      },
      onCount: (event) => this.count(event),
      pauseMs: (label) => this.#options.pauseAt?.(label, name) ?? this.#pauseMs(label),
      fulfilmentKeys: this.fulfilmentKeys,
    })
    return slot
  }

  #clockOf(slot: Pick<Slot, 'offsetMs'>): Clock {
    const { clock } = this.scheduler
    return {
      now: () => new Date(clock.nowMs() + slot.offsetMs),
      nowMs: () => clock.nowMs() + slot.offsetMs,
      monotonicMs: () => clock.monotonicMs(),
    }
  }

  /** New processes take the place of all that run. */
  restartAll(): void {
    for (const { process } of this.slots.slice()) {
      process.crash()
      this.#restart(process)
    }
  }

  #restart(process: SimulatedProcess): void {
    const at = this.slots.findIndex((slot) => slot.process === process)
    const crashed = this.slots[at]
    if (crashed !== undefined) this.slots[at] = this.#start(process.name, crashed.offsetMs)
  }

  #choose(): Slot {
    const slot = this.slots[this.scheduler.decisions.choose(this.slots.length)]
    if (slot === undefined) throw new TypeError('no process')
    return slot
  }

  #pauseMs(label: string): number {
    const { pauseOneIn } = this.#options
    const isClaimed = ['decide', 'finish', 'checkpoint', 'store', 'end claim'].includes(label)
    if (pauseOneIn === undefined || this.#isCalm || !isClaimed) return 0
    return this.scheduler.decisions.choose(pauseOneIn) === 1 ? LEASE_OVER_MS : 0
  }

  async #afterTask(entry: TraceEntry): Promise<void> {
    this.count(`${entry.label} → ${entry.outcome}`)
    if (entry.no % 4 === 0 || this.#isCalm) this.upstream.runJobs()
    await this.#look()
    if (this.isAutomatic) this.#wake()
  }

  /** Only when something has changed since the last look. */
  async #look(): Promise<void> {
    if (this.#changed.size > 0) {
      const before = this.rows
      this.rows = { ...before, ...(await this.#read([...this.#changed])) }
      this.#changed.clear()
      noteDecisions(this, before, this.rows)
      const nowMs = this.scheduler.clock.nowMs()
      this.#check([...this.#stale, ...overlappingClaims(before, this.rows, nowMs)])
    } else if (this.upstream.audit.entries.length === this.#observedAudit) return
    this.#nameDrafts(this.#observedAudit)
    this.#observedAudit = this.upstream.audit.entries.length
    this.#check(this.#invariants.observe(this.#observation()))
  }

  async #read(names: readonly ObservedName[]): Promise<Partial<ObservedRows>> {
    return readable(await this.#options.store.observe(this.hotel.tenantId, names))
  }

  /** Only the tables that a statement names are read after it: nothing else may have changed. */
  async #expectCurrentRows(): Promise<void> {
    if (isDeepStrictEqual(await this.#read(OBSERVED), this.rows)) return
    throw new TypeError('a statement has changed a table that it does not name')
  }

  /** A replaced hold has its own holder: the rows tell to which draft its reservation belongs. */
  #nameDrafts(from: number): void {
    const { entries } = this.upstream.audit
    for (const [at, entry] of entries.slice(from).entries()) {
      if (entry.kind !== 'reservation') continue
      const own = ({ reservationId }: { reservationId: string }) =>
        reservationId === entry.reservationId
      const draftId = (this.rows.records.find(own) ?? this.rows.drafts.find(own))?.draftId
      if (draftId !== undefined) entries[from + at] = { ...entry, draftId }
    }
  }

  #check(violations: readonly Violation[]): void {
    const { ignored = [] } = this.#options
    const found = violations.filter(({ id }) => !ignored.includes(id))
    if (found.length > 0) throw new InvariantViolation(found)
  }

  #observation(): Observation {
    const { allocations } = this.upstream.rooms
    return {
      ...this.rows,
      nowMs: this.scheduler.clock.nowMs(),
      audit: this.upstream.audit.entries,
      responses: this.responses,
      roomsSold: allocations.filter(({ state }) => state === 'committed').length,
    }
  }

  /** Webhooks that were sent, and timers for what is due. */
  #wake(): void {
    for (const webhook of this.upstream.payments.webhooks.splice(0)) this.#deliver(webhook)
    for (const timer of this.#timers) timer.update()
  }

  /** Until it is accepted, as the payment service does for an hour. */
  #deliverSurely(webhook: PaymentWebhook): void {
    const send = async () => {
      const activity = this.receive(webhook)
      const again = async () => {
        if (activity.outcome().status !== 'done') await send()
      }
      this.scheduler.deliver('webhook accepted?', again, 60_000)
    }
    this.scheduler.deliver('send webhook', send)
  }

  #deliver(webhook: PaymentWebhook): void {
    const { decisions } = this.scheduler
    if (this.sureWebhooks.has(webhook.data.intent.paymentIntentId)) {
      return this.#deliverSurely(webhook)
    }
    const send = (delayMs: number) =>
      this.scheduler.deliver('send webhook', async () => void this.receive(webhook), delayMs)
    const way = decisions.choose(8)
    if (way === 1) return this.count('webhook lost')
    if (way === 2) this.count('webhook twice')
    if (way === 2) send(decisions.choose(60_000))
    send(way >= 6 ? 1 + decisions.choose(600_000) : 0)
  }

  #show(request: GuestRequest, outcome: RequestOutcome): void {
    this.count(`${request.kind} ${outcome.kind}`)
    if (outcome.kind !== 'response' || request.draftId === undefined) return
    const { state } = outcome.response.body as { state?: string }
    const shows = state === 'confirmed' || state === 'failed' ? state : 'checking'
    this.responses.push({ ...this.#truth(request), shows })
  }

  /** The rejection is about the last attempt at its start, or one that was begun meanwhile. */
  #reject(request: GuestRequest, { error, firstNo }: { error: unknown; firstNo: number }): void {
    const code = isProblem(error) ? error.code : String(error)
    this.count(`${request.kind} rejected ${code}`)
    if (!isProblem(error) && !(error instanceof Error && 'status' in error)) {
      this.count(`unexpected ${String(error)}`)
    }
    if (request.draftId === undefined || code !== 'MELMASTOON.PAYMENT.DECLINED') return
    const attempts = this.#attemptsOf(request).filter(({ no }) => no >= firstNo)
    const intentIds = attempts.flatMap(({ intentId }) => (intentId === null ? [] : [intentId]))
    // One that was rejected before it had an intent.
    if (intentIds.length < attempts.length) return
    this.responses.push({ ...this.#truth(request), shows: 'declined', intentIds })
  }

  #attemptsOf(request: GuestRequest) {
    return this.rows.attempts.filter(({ draftId }) => draftId === request.draftId)
  }

  #truth({ draftId }: GuestRequest) {
    if (draftId === undefined) throw new TypeError('a request without a draft')
    const record = this.rows.records.find((other) => other.draftId === draftId)
    const auditLength = this.upstream.audit.entries.length
    return { draftId, recordState: record?.state ?? null, auditLength }
  }
}
