import { newId } from '@melmastoon/domain'
import type { TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { TestIntent } from '../intent-device.ts'
import { isSerializable, type ModelIntent, type ModelState } from './serial-model.ts'
import {
  type Fault,
  type SimulatedDevice,
  Simulation,
  type SimulationControls,
  simulatedOperator,
} from './simulate.ts'
import type { Choose } from './turns.ts'

/** One intent of a plan; its resource and its dependency are chosen by number. */
export interface PlannedAction {
  readonly name: 'task.start' | 'task.complete' | 'task.inspect' | 'folio.post_charge'
  readonly task: number
  readonly version: number
  readonly dependsOnPrevious: boolean
}

export interface HistoryPlan {
  readonly tasks: readonly TaskStatus[]
  readonly devices: readonly {
    readonly actions: readonly PlannedAction[]
    /** How many are sent once more at the same time: a queue is always sent from its start. */
    readonly duplicates: number
    /** How many are sent in a batch of their own, which may arrive after the rest; 0: none. */
    readonly separate: number
    readonly skewDays: number
  }[]
}

export interface HistoryOptions {
  readonly choose: Choose
  readonly faultOf?: () => Fault
  readonly controls?: SimulationControls
  /** Devices return after the idempotency keys of upstreams have expired. */
  readonly afterADay?: boolean
}

const ROUNDS_MAX = 8
const DAY_MS = 86_400_000

/** Runs a plan to its end. @returns what is wrong with the history; empty: nothing */
export async function checkHistory(plan: HistoryPlan, options: HistoryOptions): Promise<string[]> {
  let isQuiet = false
  const { choose, faultOf = () => 'none' as const, controls = {} } = options
  const faults = () => (isQuiet ? 'none' : faultOf())
  const simulation = new Simulation({ choose, faultOf: faults, controls })
  const taskIds = plan.tasks.map((status) => simulation.hotel.addTask(status, 1))
  const start = modelOf(simulation)
  const devices = plan.devices.map((device) => toDevice(simulation, taskIds, device))
  await simulation.run(
    devices.flatMap((device, at) => {
      const { duplicates = 0, separate = 0 } = plan.devices[at] ?? {}
      const { intents } = device
      const parts = [intents.slice(separate), intents.slice(0, separate)]
      const batches = [...parts, intents.slice(0, duplicates)].filter(({ length }) => length > 0)
      return batches.map((batch) => simulation.send(device, batch))
    }),
  )
  // Devices send again what they have no verdict for, until every fault has ended.
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    isQuiet = round > 1
    if (options.afterADay) simulation.hotel.forgetKeys()
    const open = devices.filter((device) => unsettled(device).length > 0)
    if (open.length === 0) break
    await simulation.run(open.map((device) => simulation.send(device, unsettled(device))))
  }
  return [
    ...checkVerdicts(simulation, devices),
    ...checkOrder(simulation, start, { plan, devices }),
  ]
}

function toDevice(
  { hotel }: Simulation,
  taskIds: readonly string[],
  { actions, skewDays }: HistoryPlan['devices'][number],
): SimulatedDevice {
  const ids = actions.map(() => newId('int'))
  const occurredAt = new Date(Date.parse('2026-11-16T07:59:00.000Z') - skewDays * DAY_MS)
  const intents = actions.map((action, at): TestIntent => {
    const previous = ids[at - 1]
    const isCharge = action.name === 'folio.post_charge'
    return {
      intentId: ids[at] ?? newId('int'),
      seq: at,
      name: action.name,
      resourceId: isCharge ? hotel.folioId : (taskIds[action.task % taskIds.length] ?? ''),
      expect: isCharge ? { currency: 'AED' } : { version: action.version },
      args: isCharge ? { amount: 100, category: 'other', description: 'x' } : {},
      occurredAt: occurredAt.toISOString(),
      ...(action.dependsOnPrevious && previous !== undefined && { dependsOn: previous }),
    }
  })
  return {
    operator: simulatedOperator(),
    intents,
    skewMs: skewDays * DAY_MS,
    received: new Map(),
  }
}

const verdictsOf = ({ received }: SimulatedDevice, { intentId }: TestIntent) =>
  (received.get(intentId) ?? []).filter(({ pending }) => !pending)

const unsettled = (device: SimulatedDevice) =>
  device.intents.filter((intent) => verdictsOf(device, intent).length === 0)

/** One verdict each, the same in every response; `applied` means one effect, others none. */
function checkVerdicts(simulation: Simulation, devices: readonly SimulatedDevice[]): string[] {
  return devices.flatMap((device) =>
    device.intents.flatMap((intent) => {
      const seen = verdictsOf(device, intent)
      const texts = new Set(seen.map((each) => JSON.stringify({ ...each, replayed: true })))
      const effects = effectsOf(simulation, `${intent.intentId}.${device.operator.deviceId}`)
      const expected = seen[0]?.verdict === 'applied' ? 1 : 0
      return [
        ...(texts.size === 1 ? [] : [`${intent.name} has ${texts.size} verdicts`]),
        ...(effects === expected ? [] : [`${intent.name} has ${effects} effects`]),
      ]
    }),
  )
}

function effectsOf({ hotel }: Simulation, causationId: string): number {
  const entries = [...[...hotel.tasks.values()].flatMap(({ history }) => history), ...hotel.charges]
  return entries.filter((entry) => entry.causationId === causationId).length
}

function checkOrder(
  simulation: Simulation,
  start: ModelState,
  { plan, devices }: { readonly plan: HistoryPlan; readonly devices: readonly SimulatedDevice[] },
): string[] {
  const observed = devices.map((device, number) =>
    device.intents.map((intent, at): ModelIntent => {
      const [seen] = verdictsOf(device, intent)
      const { operatorId } = device.operator
      const { verdict = 'none', by = null } = seen ?? {}
      const part = at < (plan.devices[number]?.separate ?? 0) ? 0 : 1
      return { operatorId, intent, part, observed: { verdict, by } }
    }),
  )
  return isSerializable(start, observed, modelOf(simulation)) ? [] : ['no serial order']
}

function modelOf({ hotel }: Simulation): ModelState {
  const tasks = [...hotel.tasks].map(([id, { status, version }]) => [id, { status, version }])
  const makers = [...hotel.tasks].map(([id, { history }]) => [
    id,
    history.map(({ status, operatorId = null }) => ({ status, by: operatorId })),
  ])
  return {
    tasks: Object.fromEntries(tasks) as ModelState['tasks'],
    makers: Object.fromEntries(makers) as ModelState['makers'],
    charges: hotel.charges.length,
  }
}
