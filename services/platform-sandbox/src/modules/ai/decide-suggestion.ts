import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import {
  type DeltaError,
  findDeltaErrors,
  type SuggestionDetail,
} from '@melmastoon/upstream-contracts/ai'
import type { CallOf } from '../../contract-handlers.ts'
import type { AiHost } from './ai-host.ts'
import { endSuggestion } from './end-suggestion.ts'
import { findSuggestion } from './read-suggestions.ts'
import { AI_SCENARIOS } from './scenarios.ts'
import type { AiOperations, StoredSuggestion } from './suggestion.ts'
import { stateEvent } from './suggestion-events.ts'
import {
  insertDecision,
  lockSuggestion,
  moveSuggestion,
  type SuggestionRef,
} from './suggestion-sql.ts'

type Operation = AiOperations['recordDecision']
type Body = InputOf<Operation>['body']

/** The first decision is final; its repetition, by id, returns it at any time. */
export async function decideSuggestion(
  host: AiHost,
  { params, body }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<SuggestionDetail> {
  const { tenantId, cause, scenario } = call
  const { registry } = host
  const ref = { tenant: idToUuid(tenantId), suggestion: idToUuid(params.suggestionId) }
  const end = scenario === undefined ? undefined : AI_SCENARIOS.get(scenario)
  if (end !== undefined) {
    await endSuggestion(host, { tenantId, ...params }, { to: end.to, cause }).catch(() => undefined)
  }
  return await host.db.withTenant(tenantId, async (tx) => {
    await tx.query(lockSuggestion(ref))
    const before = await findSuggestion(tx, ref)
    if (isRepetition(before, body)) return await call.finish(tx, before.detail)
    checkOpen(before, body)
    checkDelta(before, body)
    await store(tx, ref, body)
    const decided = await findSuggestion(tx, ref)
    await appendEvents(tx, [stateEvent(decided, { registry, cause })])
    return await call.finish(tx, decided.detail)
  })
}

function isRepetition({ detail }: StoredSuggestion, body: Body): boolean {
  const { decision } = detail
  if (decision === undefined) return false
  if (decision.decisionId === body.decisionId && decision.outcome === body.outcome) return true
  throw problem('MELMASTOON.AI.SUGGESTION_DECIDED')
}

/** A decision that was made in time may arrive after the suggestion has expired. */
function checkOpen({ detail, isOverdue }: StoredSuggestion, { decidedAt }: Body): void {
  const { state, provenance } = detail
  const isInTime =
    decidedAt !== undefined && Date.parse(decidedAt) <= Date.parse(provenance.expiresAt)
  const isOpen = state === 'proposed' && (!isOverdue || isInTime)
  const isExpiredMeanwhile = state === 'expired' && isInTime
  if (!isOpen && !isExpiredMeanwhile) throw problem('MELMASTOON.AI.SUGGESTION_CLOSED')
}

function checkDelta({ detail }: StoredSuggestion, { outcome, modifiedDelta }: Body): void {
  const isModified = outcome === 'modified'
  if (!isModified && modifiedDelta === undefined) return
  const errors = isModified
    ? findDeltaErrors(detail.proposal, modifiedDelta)
    : [{ pointer: '', code: 'forbidden', detail: 'is only for modified suggestions' }]
  if (errors.length > 0) throw invalidDelta(errors)
}

function invalidDelta(found: readonly DeltaError[]) {
  const errors = found.map((error) => ({ ...error, pointer: `/modifiedDelta${error.pointer}` }))
  return problem('MELMASTOON.AI.DELTA_INVALID', { errors })
}

async function store(tx: Tx, ref: SuggestionRef, body: Body): Promise<void> {
  const { actor, outcome, causationId, modifiedDelta = null, decidedAt = null } = body
  const operator = idToUuid(actor.operatorId)
  const decision = idToUuid(body.decisionId)
  const device = idToUuid(actor.deviceId)
  await tx.query(
    insertDecision({ ...ref, decision, outcome, modifiedDelta, operator, device, decidedAt }),
  )
  const moved = await tx.query(
    moveSuggestion({
      ...ref,
      from: ['proposed', 'expired'],
      to: outcome,
      operator,
      causationId: causationId ?? body.decisionId,
    }),
  )
  if (moved.length === 0) throw new TypeError('the locked suggestion was not open')
}
