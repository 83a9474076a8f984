import { systemClock } from '@melmastoon/chassis/clock'
import type { Database, Queryable } from '@melmastoon/chassis/db'
import { newTrace, renderTraceparent } from '@melmastoon/chassis/telemetry'
import { isId, newId, type OperatorId } from '@melmastoon/domain'
import { COMMAND_LINE } from '../activity/activity.ts'
import { type ActivityRow, insertActivities } from '../activity/activity-sql.ts'
import { isOpen, type LockActionId, type LockActionRecord } from './lock-action.ts'
import { selectAction, selectOpenLonger, selectTransitions, toRecord } from './lock-action-sql.ts'
import { createLockChanges } from './lock-changes.ts'
import { MANUAL_AFTER_SECONDS } from './lock-schedule.ts'
import { type SettleDeps, settle } from './settle-action.ts'

const USAGE = `locks show <actionId>    prints an action on a key and all that was reported about it
locks show open          lists the actions whose outcome is not known, oldest first
locks settle <actionId> success|failure <operatorId>
                         decides an outcome that is not known after 24 hours; the operator who has
                         looked at the lock is recorded with the decision`
const EXIT_USAGE = 2
const SHOWN_MAX = 200

type Print = (line: string) => void

export interface LocksCommandDeps {
  /** Of all tenants, for reading. */
  readonly relayDb: Queryable
  /** Events are written by the role of the service only. */
  readonly db: Pick<Database, 'withTenant'>
  readonly registry: SettleDeps['registry']
  readonly instance: string
}

/** For operators of the platform. */
export async function runLocksCommand(
  words: readonly string[],
  deps: LocksCommandDeps,
  print: Print = (line) => process.stdout.write(`${line}\n`),
): Promise<number> {
  const { relayDb: db } = deps
  const wrong = wrongWord(words)
  if (wrong !== null) print(wrong)
  const [verb, name = '', outcome = '', operatorId = ''] = words
  if (verb === 'show' && words.length === 2) {
    if (name === 'open') return await showOpen(db, print)
    if (isId('lap', name)) return await show(db, name, print)
  }
  const isOutcome = outcome === 'success' || outcome === 'failure'
  if (verb === 'settle' && words.length === 4 && isId('lap', name) && isOutcome) {
    if (isId('opr', operatorId)) {
      return await decide(deps, { actionId: name, outcome, operatorId }, print)
    }
  }
  print(USAGE)
  return EXIT_USAGE
}

/** What is wrong with the command, where it is more than its form. */
function wrongWord(words: readonly string[]): string | null {
  const [verb, name, outcome, operatorId] = words
  if (verb !== 'show' && verb !== 'settle') return null
  const isName = name === undefined || isId('lap', name) || (verb === 'show' && name === 'open')
  if (!isName) return `${name} is not the id of an action: expected lap_ and 26 characters.`
  if (verb === 'show' || outcome === undefined || operatorId === undefined) return null
  if (isId('opr', operatorId)) return null
  return `${operatorId} is not the id of an operator: expected opr_ and 26 characters.`
}

async function read(db: Queryable, actionId: LockActionId): Promise<LockActionRecord | null> {
  const [row] = await db.query(selectAction(actionId))
  return row === undefined ? null : toRecord(row)
}

function lineOf(action: LockActionRecord): string {
  const { actionId, command, state, vendor, requestedAt, reservationId, keyId } = action
  const key = keyId ?? 'no key'
  const at = requestedAt.toISOString()
  return `${actionId} ${command.action} ${state} ${vendor} ${reservationId} ${key} since ${at}`
}

async function showOpen(db: Queryable, print: Print): Promise<number> {
  const rows = await db.query(selectOpenLonger(0, SHOWN_MAX))
  for (const row of rows) print(lineOf(toRecord(row)))
  if (rows.length === 0) print('Every action is settled.')
  return 0
}

async function show(db: Queryable, actionId: LockActionId, print: Print): Promise<number> {
  const action = await read(db, actionId)
  if (action === null) {
    print(`There is no action ${actionId}.`)
    return 1
  }
  print(lineOf(action))
  for (const row of await db.query(selectTransitions(actionId, SHOWN_MAX))) {
    const effect = row.is_applied ? '' : ', without effect'
    const code = row.error_code === null ? '' : ` ${row.error_code}`
    const by = row.decided_by === null ? '' : ` by ${row.decided_by}`
    print(`  ${row.at.toISOString()} ${row.state}${code} (${row.source}${by}${effect})`)
  }
  return 0
}

interface Decision {
  readonly actionId: LockActionId
  readonly outcome: 'success' | 'failure'
  readonly operatorId: OperatorId
}

async function decide(deps: LocksCommandDeps, decision: Decision, print: Print): Promise<number> {
  const { actionId, outcome } = decision
  const action = await read(deps.relayDb, actionId)
  const reason = reasonAgainst(action)
  if (action === null || reason !== null) {
    print(reason ?? `There is no action ${actionId}.`)
    return 1
  }
  const isApplied = await settleAs(deps, action, decision)
  print(isApplied ? `${actionId} is settled: ${outcome}.` : 'It was settled meanwhile.')
  return isApplied ? 0 : 1
}

/**
 * As any other result, with its event, and with a row of the ledger in the same transaction.
 * Metrics and streams are those of the running service.
 */
async function settleAs(
  { db, registry, instance }: LocksCommandDeps,
  action: LockActionRecord,
  { outcome, operatorId }: Decision,
): Promise<boolean> {
  const { tenantId } = action
  const cause = {
    producerInstance: instance,
    tenantId,
    requestId: newId('req'),
    traceparent: renderTraceparent(newTrace()),
    occurredAt: systemClock.now(),
  }
  const result = {
    ...({ source: 'manual', latencyMs: 0, decidedBy: operatorId } as const),
    ...(outcome === 'success' ? SUCCEEDED : FAILED),
  }
  const none = { count: () => undefined, observe: () => undefined }
  const lockChanges = createLockChanges(() => undefined)
  const settling = { registry, lockMetrics: none, lockChanges, lockControls: {} }
  return await db.withTenant(tenantId, async (tx) => {
    const isApplied = await settle(settling, tx, { action, result, cause })
    if (isApplied) await tx.query(insertActivities([activityOf(action, operatorId)]))
    return isApplied
  })
}

function activityOf(action: LockActionRecord, operatorId: OperatorId): ActivityRow {
  const { tenantId, propertyId, actionId } = action
  return {
    ...COMMAND_LINE,
    id: newId('act'),
    tenantId,
    propertyId,
    operatorId,
    occurredAt: systemClock.now(),
    category: 'lock',
    action: 'lock.settle',
    resourceKind: 'lock_action',
    resourceId: actionId,
    outcome: 'success',
    latencyMs: 0,
    errorCode: null,
  }
}

const SUCCEEDED = { state: 'succeeded' } as const
const FAILED = {
  state: 'failed',
  errorCode: 'MELMASTOON.BFF.BACKOFFICE.LOCK_ACTION_NOT_EXECUTED',
} as const

function reasonAgainst(action: LockActionRecord | null): string | null {
  if (action === null) return 'There is no such action.'
  if (!isOpen(action)) return `${action.actionId} is settled: nothing was changed.`
  if (action.ageSeconds > MANUAL_AFTER_SECONDS) return null
  return `${action.actionId} is younger than 24 hours: the reconciler still looks for its outcome.`
}
