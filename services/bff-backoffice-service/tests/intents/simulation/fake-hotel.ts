import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { newId } from '@melmastoon/domain'
import { TASK_MOVES, type TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { IntentTableDeps } from '../../../src/intents/intent-table.ts'

/** Before a call is executed, and before its response arrives; may throw. */
export type Gate = (point: 'request' | 'response') => Promise<void>

interface HistoryEntry {
  readonly version: number
  readonly status: string
  readonly at: string
  readonly operatorId?: string
  readonly causationId?: string
}

export interface FakeTask {
  status: TaskStatus
  version: number
  readonly history: HistoryEntry[]
}

interface ChangeInput {
  readonly params: { readonly taskId?: string; readonly folioId?: string }
  readonly body: {
    readonly actor: { readonly operatorId: string }
    readonly causationId?: string
    readonly expectedVersion?: number
  }
}

interface Keyed {
  readonly idempotencyKey: string
}

/** What a negative control disables. */
export interface HotelControls {
  readonly ignoresVersions?: boolean
  readonly ignoresKeys?: boolean
}

const AT = '2026-11-16T08:00:00.000Z'

/** Housekeeping and billing in memory; tests/intents/simulation compares it with the sandbox. */
export class FakeHotel {
  readonly propertyId = newId('ppt')
  readonly tasks = new Map<string, FakeTask>()
  readonly folioId = newId('fol')
  readonly charges: { readonly causationId: string | undefined }[] = []
  readonly #results = new Map<string, { readonly body: string; readonly result: unknown }>()
  readonly #controls: HotelControls

  constructor(controls: HotelControls = {}) {
    this.#controls = controls
  }

  addTask(status: TaskStatus, version: number): string {
    const taskId = newId('hkt')
    this.tasks.set(taskId, { status, version, history: [{ version, status, at: AT }] })
    return taskId
  }

  /** A day has passed. */
  forgetKeys(): void {
    this.#results.clear()
  }

  upstreams(gate: Gate): IntentTableDeps['upstreams'] {
    const read =
      <I, R>(respond: (input: I) => R) =>
      async (input: I): Promise<R> => {
        await gate('request')
        return respond(input)
      }
    const change =
      (name: string, act: (input: ChangeInput) => unknown) =>
      async (input: ChangeInput, call: Keyed) => {
        await gate('request')
        const result = this.#once(input, `${name} ${call.idempotencyKey}`, () => act(input))
        await gate('response')
        return result
      }
    const move = (to: TaskStatus) => change(to, (input) => this.#move(input, to))
    const upstreams: unknown = {
      housekeeping: {
        getTask: read(({ params }: ChangeInput) => this.describeTask(params.taskId ?? '')),
        startTask: move('in_progress'),
        completeTask: move('completed'),
        inspectTask: move('inspected'),
      },
      billing: {
        getFolio: read(() => this.#folio()),
        findCharge: read(({ params }: { params: { causationId: string } }) =>
          this.#findCharge(params.causationId),
        ),
        postCharge: change('charge', ({ body }) => this.#post(body.causationId)),
      },
    }
    return upstreams as IntentTableDeps['upstreams']
  }

  describeTask(taskId: string) {
    const task = this.tasks.get(taskId)
    if (task === undefined) throw rejection(404, 'HOUSEKEEPING.TASK_NOT_FOUND')
    const { status, version, history } = task
    const { propertyId } = this
    return { taskId, propertyId, status, version, updatedAt: AT, history: [...history] }
  }

  /** As upstreams do: keys belong to an operation, and a rejection is stored like a result. */
  #once(input: ChangeInput, scope: string, act: () => unknown): unknown {
    if (this.#controls.ignoresKeys) return act()
    const body = JSON.stringify(input)
    const known = this.#results.get(scope) ?? { body, result: settle(act) }
    if (known.body !== body) throw rejection(422, 'IDEMPOTENCY.KEY_REUSED')
    this.#results.set(scope, known)
    if (known.result instanceof UpstreamRejection) throw known.result
    return known.result
  }

  #move({ params: { taskId = '' }, body }: ChangeInput, to: TaskStatus) {
    const task = this.tasks.get(taskId)
    if (task === undefined) throw rejection(404, 'HOUSEKEEPING.TASK_NOT_FOUND')
    const { expectedVersion, causationId, actor } = body
    const isStale = expectedVersion !== undefined && expectedVersion !== task.version
    if (isStale && !this.#controls.ignoresVersions) {
      throw rejection(409, 'HOUSEKEEPING.VERSION_CONFLICT')
    }
    if (!TASK_MOVES[task.status].includes(to)) {
      throw rejection(409, 'HOUSEKEEPING.ROOM_STATE_CONFLICT')
    }
    task.status = to
    task.version += 1
    const { operatorId } = actor
    task.history.push({
      version: task.version,
      status: to,
      at: AT,
      operatorId,
      ...(causationId !== undefined && { causationId }),
    })
    return this.describeTask(taskId)
  }

  #folio() {
    const { folioId, propertyId } = this
    return { folioId, propertyId, status: 'open', currency: 'AED', version: 1, history: [] }
  }

  #findCharge(causationId: string) {
    const charge = this.charges.find((each) => each.causationId === causationId)
    if (charge === undefined) throw rejection(404, 'BILLING.CHARGE_NOT_FOUND')
    return charge
  }

  #post(causationId: string | undefined) {
    const isKnown = this.charges.some((each) => each.causationId === causationId)
    if (!isKnown || this.#controls.ignoresKeys) this.charges.push({ causationId })
    return { charge: {}, folio: {} }
  }
}

function rejection(status: number, code: string): UpstreamRejection {
  return new UpstreamRejection('fake', status, { code: `MELMASTOON.${code}` })
}

function settle(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    if (error instanceof UpstreamRejection) return error
    throw error
  }
}
