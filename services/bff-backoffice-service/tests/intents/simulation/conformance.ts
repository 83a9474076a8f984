import type { TimeLimit } from '@melmastoon/chassis/clock'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import { type Id, newId } from '@melmastoon/domain'
import type { Operator } from '../../../src/access/operator.ts'
import type { StaffCall } from '../../../src/events/staff-call.ts'
import type { Decision, IntentStore, NewIntent } from '../../../src/intents/intent-store.ts'
import type { IntentTableDeps } from '../../../src/intents/intent-table.ts'

/** Where the script runs: the simulated hotel, or the sandbox. */
export interface Subject {
  readonly upstreams: Pick<IntentTableDeps['upstreams'], 'housekeeping' | 'billing'>
  readonly operator: Operator
  readonly taskId: Id<'hkt'>
  readonly folioId: Id<'fol'>
  readonly currency: 'AED'
  readonly call: Pick<StaffCall, 'deadline' | 'trace'>
}

/** The outcome of each call, without ids and times. */
export async function runUpstreamScript(subject: Subject): Promise<unknown[]> {
  const { upstreams, operator, taskId, folioId, currency, call } = subject
  const { tenantId, operatorId, deviceId } = operator
  const { housekeeping, billing } = upstreams
  const outcomes: unknown[] = []
  const note = async (work: Promise<unknown>) => {
    outcomes.push(await work.then(describe, (error: unknown) => codeOf(error)))
  }
  const keyed = (idempotencyKey: string) => ({ ...call, tenantId, idempotencyKey })
  const move = (name: 'startTask' | 'completeTask' | 'inspectTask', version: number, key: string) =>
    note(
      housekeeping[name](
        {
          params: { taskId },
          body: { actor: { operatorId, deviceId }, causationId: key, expectedVersion: version },
        },
        keyed(key),
      ),
    )
  const [a, b, c, d, e] = Array.from({ length: 5 }, () => `${newId('int')}.${deviceId}`)
  await move('completeTask', 1, a ?? '')
  await move('startTask', 9, b ?? '')
  await move('startTask', 1, c ?? '')
  await move('startTask', 1, c ?? '')
  await move('startTask', 2, c ?? '')
  await move('startTask', 1, newId('req'))
  await move('completeTask', 1, a ?? '')
  await move('completeTask', 2, d ?? '')
  await move('inspectTask', 3, e ?? '')
  await note(housekeeping.getTask({ params: { taskId } }, { ...call, tenantId }))
  const unknown = { params: { taskId: newId('hkt') } }
  await note(housekeeping.getTask(unknown, { ...call, tenantId }))
  const causationId = `${newId('int')}.${deviceId}`
  const find = () =>
    billing
      .findCharge({ params: { folioId, causationId } }, { ...call, tenantId })
      .then(() => 'found')
  const post = (key: string) => {
    const amount = { amountMicro: '1000000', currency }
    const content = { amount, category: 'other', description: 'x' } as const
    const body = { ...content, actor: { operatorId, deviceId }, causationId }
    return billing.postCharge({ params: { folioId }, body }, keyed(key)).then(() => 'posted')
  }
  for (const work of [find, () => post(causationId), () => post(newId('req')), find]) {
    await note(work())
  }
  return outcomes
}

function describe(value: unknown): unknown {
  if (typeof value === 'string') return value
  const { status, version, history } = value as {
    readonly status: string
    readonly version: number
    readonly history: readonly { readonly status: string; readonly causationId?: string }[]
  }
  return [status, version, history.map((entry) => [entry.status, 'causationId' in entry])]
}

function codeOf(error: unknown): string | undefined {
  if (!(error instanceof UpstreamRejection)) throw error
  return error.code
}

const limit: TimeLimit = { remainingMs: () => 5_000 }

/** Claims, decisions and races of one device, as a list of outcomes. */
export async function runStoreScript(
  store: IntentStore,
  first: NewIntent,
  decision: Decision,
): Promise<unknown[]> {
  const claim = async (more: Partial<NewIntent> = {}) => {
    const result = await store.claim({ ...first, ...more }, limit)
    return result.kind === 'claimed' || result.kind === 'decided'
      ? [result.kind, result.stored.attempt, result.stored.verdict]
      : result.kind
  }
  const initial = await store.claim(first, limit)
  if (initial.kind !== 'claimed') return [initial.kind]
  const later = { intentId: newId('int'), seq: first.seq + 1 }
  const outcomes: unknown[] = [
    await claim(),
    await claim({ contentHash: 'other' }),
    await claim(later),
  ]
  await store.release(initial.stored, limit)
  const second = await store.claim(first, limit)
  if (second.kind !== 'claimed') return [...outcomes, second.kind]
  outcomes.push(second.stored.attempt)
  outcomes.push(await store.decide(initial.stored, decision, limit))
  outcomes.push(await store.decide(second.stored, decision, limit))
  outcomes.push(await store.decide(second.stored, decision, limit))
  outcomes.push(await claim({ operatorId: newId('opr') }), await claim(later))
  const waiting = { ...later, intentId: newId('int'), seq: first.seq + 2 }
  const hold = async (more: Partial<NewIntent> = {}) => {
    const result = await store.hold({ ...first, ...waiting, ...more }, limit)
    return 'stored' in result ? [result.kind, result.stored.attempt] : result.kind
  }
  outcomes.push(await hold(), await hold(), await hold({ contentHash: 'other' }))
  outcomes.push(await claim({ ...waiting, intentId: newId('int'), seq: first.seq + 3 }))
  outcomes.push(await hold({ intentId: first.intentId, seq: first.seq }))
  const found = await store.find(first, first.intentId, limit)
  const contact = await store.lastContact(first, limit)
  return [...outcomes, found?.verdict, found?.operatorId === first.operatorId, contact?.bootId]
}
