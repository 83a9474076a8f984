import { TASK_MOVES, type TaskStatus } from '@melmastoon/upstream-contracts/housekeeping'
import type { TestIntent } from '../intent-device.ts'

/** What one intent should do, described without the code under test. */
export interface ModelState {
  readonly tasks: Readonly<
    Record<string, { readonly status: TaskStatus; readonly version: number }>
  >
  /** Who made the current state of each task, and who reached the goal states. */
  readonly makers: Readonly<
    Record<string, readonly { readonly status: string; readonly by: string | null }[]>
  >
  readonly charges: number
}

export interface Observed {
  readonly verdict: string
  readonly by: string | null
}

export interface ModelIntent {
  readonly operatorId: string
  readonly intent: TestIntent
  /** Of the queue: parts that are sent in batches of their own may overtake each other. */
  readonly part: number
  readonly observed: Observed
}

const TARGETS: Readonly<Record<string, { to: TaskStatus; goals: readonly string[] }>> = {
  'task.start': { to: 'in_progress', goals: ['in_progress'] },
  'task.complete': { to: 'completed', goals: ['completed', 'inspected'] },
  'task.inspect': { to: 'inspected', goals: ['inspected'] },
}

function execute(state: ModelState, { operatorId, intent }: ModelIntent): [ModelState, Observed] {
  if (intent.name === 'folio.post_charge') {
    return [
      { ...state, charges: state.charges + 1 },
      { verdict: 'applied', by: null },
    ]
  }
  const target = TARGETS[intent.name]
  const task = state.tasks[intent.resourceId]
  if (target === undefined || task === undefined) return [state, { verdict: 'rejected', by: null }]
  const makers = state.makers[intent.resourceId] ?? []
  if (target.goals.includes(task.status)) {
    const before = makers.findLastIndex(({ status }) => !target.goals.includes(status))
    return [state, { verdict: 'already_done', by: makers[before + 1]?.by ?? null }]
  }
  const { version } = intent.expect as { readonly version: number }
  if (version !== task.version) {
    return [state, { verdict: 'superseded', by: makers.at(-1)?.by ?? null }]
  }
  if (!TASK_MOVES[task.status].includes(target.to)) {
    return [state, { verdict: 'rejected', by: null }]
  }
  const id = intent.resourceId
  const next: ModelState = {
    ...state,
    tasks: { ...state.tasks, [id]: { status: target.to, version: task.version + 1 } },
    makers: { ...state.makers, [id]: [...makers, { status: target.to, by: operatorId }] },
  }
  return [next, { verdict: 'applied', by: null }]
}

const isGoal = ({ verdict }: Observed) => verdict === 'applied' || verdict === 'already_done'

/** Whether some serial order gives what was observed; by `seq` on a resource, within a part. */
export function isSerializable(
  start: ModelState,
  devices: readonly (readonly ModelIntent[])[],
  end: Pick<ModelState, 'tasks' | 'charges'>,
): boolean {
  const all = devices.flat()
  const search = (state: ModelState, done: ReadonlySet<ModelIntent>): boolean => {
    if (done.size === all.length) return isSame(state, end)
    return all.some((each) => {
      if (done.has(each) || !isNext(each, devices, done)) return false
      const [next, expected] = step(state, each, all)
      if (expected.verdict !== each.observed.verdict || expected.by !== each.observed.by)
        return false
      return search(next, new Set([...done, each]))
    })
  }
  return search(start, new Set())
}

function step(state: ModelState, each: ModelIntent, all: readonly ModelIntent[]) {
  const { dependsOn } = each.intent
  const dependency = all.find(({ intent }) => intent.intentId === dependsOn)
  if (dependsOn !== undefined && (dependency === undefined || !isGoal(dependency.observed))) {
    return [state, { verdict: 'rejected', by: null }] as const
  }
  return execute(state, each)
}

function isNext(
  each: ModelIntent,
  devices: readonly (readonly ModelIntent[])[],
  done: ReadonlySet<ModelIntent>,
): boolean {
  const own = devices.find((device) => device.includes(each)) ?? []
  return own.every(
    (other) =>
      done.has(other) ||
      (other.intent.intentId !== each.intent.dependsOn &&
        (other.intent.resourceId !== each.intent.resourceId ||
          other.part !== each.part ||
          other.intent.seq >= each.intent.seq)),
  )
}

function isSame(state: ModelState, end: Pick<ModelState, 'tasks' | 'charges'>): boolean {
  return (
    state.charges === end.charges &&
    Object.entries(state.tasks).every(
      ([id, { status, version }]) =>
        end.tasks[id]?.status === status && end.tasks[id]?.version === version,
    )
  )
}
