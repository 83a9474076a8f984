import { type Clock, createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId, problem } from '@melmastoon/domain'
import type { Operator } from '../../../src/access/operator.ts'
import { registry } from '../../../src/events/registry.ts'
import { rejected } from '../../../src/intents/intent.ts'
import type { IntentStore, StoredIntent } from '../../../src/intents/intent-store.ts'
import type { IntentResult } from '../../../src/intents/intent-view.ts'
import type { SettleDeps } from '../../../src/intents/settle-intent.ts'
import { submitIntents } from '../../../src/intents/submit-intents.ts'
import type { TestIntent } from '../intent-device.ts'
import { FakeHotel, type HotelControls } from './fake-hotel.ts'
import { MemoryIntentTable } from './memory-intent-store.ts'
import { type Choose, Turns } from './turns.ts'

/** A device in the simulation: what it sends, and what it received. */
export interface SimulatedDevice {
  readonly operator: Operator
  readonly intents: readonly TestIntent[]
  /** Of its clock. */
  readonly skewMs: number
  /** Results by intent, in the order in which they arrived. */
  readonly received: Map<string, IntentResult[]>
}

/**
 * Which call fails and how. `crash` ends the process that made it; during a `slow` one the claims
 * of all processes end, so that two attempts are at work at the same time.
 */
export type Fault = 'none' | 'down' | 'lost' | 'crash' | 'slow'

export interface SimulationControls extends HotelControls {
  /** An intent does not wait for a dependency that arrives later. */
  readonly rejectsMissing?: boolean
  /** An attempt makes its change although its claim has ended. */
  readonly ignoresLeases?: boolean
}

export interface SimulationOptions {
  readonly choose: Choose
  /** Decides about each call. */
  readonly faultOf: () => Fault
  readonly controls?: SimulationControls
}

/** After this time a claim has ended. */
const LEASE_END_MS = 11_000
/** How often others may be faster than a slow call: a whole attempt. */
const SLOW_TURNS = 8

/** What no process has stored. */
const rejectedIntent = (key: Pick<StoredIntent, 'tenantId' | 'deviceId' | 'intentId'>) => ({
  ...key,
  operatorId: newId('opr'),
  name: 'task.start',
  resourceId: null,
  seq: 0,
  contentHash: '',
  bootId: 'boot',
  occurredAt: null,
  clockSuspect: false,
  receivedAt: new Date(0),
  attempt: 1,
  propertyId: null,
  verdict: rejected('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'),
})

const tenantId = newId('tnt')
const trace = newTrace()

/** Of intents that are not simulated. */
const UNUSED = {} as Pick<SettleDeps, 'db' | 'relayDb' | 'cache' | 'errors' | 'background'>

export function simulatedOperator(): Operator {
  return {
    tenantId,
    operatorId: newId('opr'),
    deviceId: newId('dev'),
    sessionId: newId('bos'),
    jkt: 'thumbprint',
    roles: ['general_manager'],
    isLead: false,
    properties: '*',
    tokenExpiresAt: new Date(Date.now() + 600_000),
  }
}

/** One hotel, one table of verdicts, any number of processes. */
export class Simulation {
  readonly turns = new Turns()
  readonly table = new MemoryIntentTable()
  readonly hotel: FakeHotel
  readonly #options: SimulationOptions

  constructor(options: SimulationOptions) {
    this.#options = options
    this.hotel = new FakeHotel(options.controls)
  }

  run(work: readonly Promise<unknown>[]): Promise<void> {
    return this.turns.run(work, this.#options.choose)
  }

  /** One request of a device to a process of its own; a crash loses the response. */
  async send(device: SimulatedDevice, intents: readonly TestIntent[]): Promise<void> {
    this.table.nowMs += LEASE_END_MS
    const process = { isDead: false }
    const clock = this.#clock()
    const sentAt = new Date(this.table.nowMs - device.skewMs)
    const deps = {
      ...UNUSED,
      upstreams: this.hotel.upstreams((point) => this.#pass(process, point)),
      intentStore: this.#store(process),
      registry,
      clock,
      onError: () => undefined,
    }
    const cause = () => ({
      producerInstance: 'simulation',
      tenantId,
      requestId: newId('req'),
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      occurredAt: clock.now(),
    })
    const { operator } = device
    const deadline = createDeadline(60_000)
    const batch = { operator, intents, sentAt, bootId: 'boot', deadline, trace, cause }
    const results = await submitIntents(deps, batch).catch(() => [])
    deadline[Symbol.dispose]()
    if (process.isDead) return
    for (const result of results) {
      const key = result.intentId ?? ''
      device.received.set(key, [...(device.received.get(key) ?? []), result])
    }
  }

  /** The time that the claims of the table follow. */
  #clock(): Clock {
    const { table } = this
    const nowMs = () => table.nowMs
    return { now: () => new Date(table.nowMs), nowMs, monotonicMs: nowMs }
  }

  #store(process: { isDead: boolean }): IntentStore {
    const { rejectsMissing = false, ignoresLeases = false } = this.#options.controls ?? {}
    const store = this.table.store(() => this.#pass(process, 'request'))
    const find: IntentStore['find'] = async (device, intentId, limit) =>
      (await store.find(device, intentId, limit)) ?? rejectedIntent({ ...device, intentId })
    return {
      ...store,
      ...(rejectsMissing && { find }),
      ...(ignoresLeases && { leaseMs: Number.POSITIVE_INFINITY }),
    }
  }

  async #pass(process: { isDead: boolean }, point: 'request' | 'response'): Promise<void> {
    await this.turns.take()
    const fault = process.isDead ? 'none' : this.#options.faultOf()
    if (fault === 'slow') {
      this.table.nowMs += LEASE_END_MS
      for (let turn = 0; turn < SLOW_TURNS; turn += 1) await this.turns.take()
    }
    if (process.isDead) throw new Error('this process has ended')
    if (fault === 'crash') process.isDead = true
    const failing = point === 'request' ? 'down' : 'lost'
    if (fault === 'crash' || fault === failing) {
      throw problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE')
    }
  }
}
