import { asAbsent, type ClientOf } from '@melmastoon/bff/upstreams'
import type { Cache } from '@melmastoon/chassis/cache'
import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { type Id, newId, type ProblemCode, problem, truncateText } from '@melmastoon/domain'
import {
  type aiContract,
  type DecisionOutcome,
  findDeltaErrors,
  type SuggestionDetail,
} from '@melmastoon/upstream-contracts/ai'
import { type Operator, requireProperty } from '../access/operator.ts'
import { suggestionDecided } from '../events/inbox-events.ts'
import type { EventDeps, StaffCall } from '../events/staff-call.ts'
import { type Decision, isSameDecision, type ModifiedDelta } from './decision.ts'
import { effectsOf } from './decision-effect.ts'
import { insertDecision, selectDecisions, toDecision } from './decision-sql.ts'
import { insertEffects } from './effect-sql.ts'
import { isOverdue, type ListSuggestionsDeps } from './list-suggestions.ts'
import { type EffectDeps, settleDecision } from './settle-effects.ts'
import { suggestionsTag } from './suggestion-inbox.ts'
import { classesOf, type SuggestionVM, viewDecision, viewSuggestion } from './suggestion-view.ts'

export interface DecideDeps
  extends EventDeps,
    EffectDeps,
    Pick<ListSuggestionsDeps, 'db' | 'clock'> {
  readonly cache: Pick<Cache, 'invalidate'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly upstreams: EffectDeps['upstreams'] & {
    readonly ai: Pick<ClientOf<typeof aiContract>, 'getSuggestion' | 'recordDecision'>
  }
}

export interface DecisionRequest {
  readonly operator: Operator
  readonly suggestionId: Id<'sug'>
  readonly outcome: DecisionOutcome
  readonly modifiedDelta?: ModifiedDelta | undefined
  readonly note?: string | undefined
}

export interface DecidedSuggestion {
  readonly suggestion: SuggestionVM
  readonly decision: Decision
  /** False for a repetition of the operator's own decision. */
  readonly isNew: boolean
}

export const DECIDE_PROBLEMS = [
  'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
  'MELMASTOON.AI.SUGGESTION_DECIDED',
  'MELMASTOON.AI.SUGGESTION_CLOSED',
  'MELMASTOON.AI.DELTA_INVALID',
] as const satisfies readonly ProblemCode[]

const NOTE_CHARACTERS = 200

/**
 * The first decision binds all operators (B4, D14). What follows from it is carried out later
 * and cannot undo it.
 * @throws Problem SUGGESTION_DECIDED with the binding decision, SUGGESTION_CLOSED, DELTA_INVALID,
 *   RESOURCE_NOT_FOUND, ROLE_FORBIDDEN
 */
export async function decideSuggestion(
  deps: DecideDeps,
  request: DecisionRequest,
  call: StaffCall,
): Promise<DecidedSuggestion> {
  const suggestion = await findSuggestion(deps, request, call)
  const wanted = decisionOf(request, deps.clock.now())
  const existing = await findDecision(deps, request, call)
  if (existing !== null) return repeated(suggestion, wanted, existing)
  checkDelta(suggestion, request)
  checkOpen(suggestion, deps.clock.nowMs())
  const isNew = await store(deps, { suggestion, decision: wanted, request }, call)
  if (isNew) {
    afterDecision(deps, suggestion, wanted)
    return { suggestion: viewSuggestion(suggestion, wanted), decision: wanted, isNew }
  }
  const winner = await findDecision(deps, request, call)
  if (winner === null) throw new TypeError('a decision conflicts with none')
  return repeated(suggestion, wanted, winner)
}

async function findSuggestion(
  { upstreams }: DecideDeps,
  { operator, suggestionId }: DecisionRequest,
  { deadline, trace }: StaffCall,
): Promise<SuggestionDetail> {
  const { tenantId } = operator
  const found = await upstreams.ai
    .getSuggestion({ params: { suggestionId } }, { deadline, trace, tenantId })
    .catch(asAbsent)
  if (found === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
  requireProperty(operator, found.propertyId)
  if (classesOf(operator).has(found.class)) return found
  throw problem('MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN')
}

function decisionOf(
  { operator, suggestionId, outcome, modifiedDelta }: DecisionRequest,
  decidedAt: Date,
): Decision {
  const { operatorId, deviceId } = operator
  return {
    decisionId: newId('sdl'),
    suggestionId,
    outcome,
    modifiedDelta: modifiedDelta ?? null,
    operatorId,
    deviceId,
    decidedAt,
  }
}

async function findDecision(
  { db }: DecideDeps,
  { operator, suggestionId }: DecisionRequest,
  { deadline }: StaffCall,
): Promise<Decision | null> {
  const statement = selectDecisions([suggestionId])
  const [row] = await db.tenantQuery(operator.tenantId, statement, { deadline })
  return row === undefined ? null : toDecision(row)
}

/** @throws Problem SUGGESTION_DECIDED unless the operator repeats the binding decision */
function repeated(
  suggestion: SuggestionDetail,
  wanted: Decision,
  binding: Decision,
): DecidedSuggestion {
  if (!isSameDecision(wanted, binding)) throw decided(viewDecision(binding))
  return { suggestion: viewSuggestion(suggestion, binding), decision: binding, isNew: false }
}

const decided = (decision: unknown) =>
  problem('MELMASTOON.AI.SUGGESTION_DECIDED', { extensions: { decision } })

/** `modified` needs a delta that fits the proposal; the others have none. */
function checkDelta(
  { proposal }: SuggestionDetail,
  { outcome, modifiedDelta }: DecisionRequest,
): void {
  if (outcome !== 'modified' && modifiedDelta === undefined) return
  const found =
    outcome === 'modified'
      ? findDeltaErrors(proposal, modifiedDelta)
      : [{ pointer: '', code: 'forbidden', detail: 'is only allowed for a modified suggestion' }]
  if (found.length === 0) return
  const errors = found.map((error) => ({ ...error, pointer: `/modifiedDelta${error.pointer}` }))
  throw problem('MELMASTOON.AI.DELTA_INVALID', { errors })
}

function checkOpen(suggestion: SuggestionDetail, nowMs: number): void {
  const { state, decision } = suggestion
  // Decided without this service.
  if (decision !== undefined) throw decided(decision)
  if (state === 'proposed' && !isOverdue(suggestion, nowMs)) return
  const ended = state === 'proposed' ? 'expired' : state
  throw problem('MELMASTOON.AI.SUGGESTION_CLOSED', { extensions: { state: ended } })
}

interface MadeDecision {
  readonly suggestion: SuggestionDetail
  readonly decision: Decision
  readonly request: DecisionRequest
}

/** False: another decision was first. */
async function store(
  { db, registry }: DecideDeps,
  { suggestion, decision, request }: MadeDecision,
  { deadline, cause }: StaffCall,
): Promise<boolean> {
  const { tenantId, operatorId, deviceId } = request.operator
  const { suggestionId, propertyId, category, severity } = suggestion
  const { decisionId, outcome } = decision
  const event = registry.build(
    suggestionDecided.subject,
    { suggestionId, decisionId, propertyId, category, severity, outcome, operatorId, deviceId },
    cause,
  )
  const effects = insertEffects(tenantId, decisionId, effectsOf(suggestion, decision))
  const note = truncateText(request.note ?? '', NOTE_CHARACTERS) || null
  const statement = insertDecision({ tenantId, decision, suggestion, note, effects, event })
  const rows = await db.tenantQuery(tenantId, statement, { deadline })
  return rows.length > 0
}

/** No response waits for it; the job repeats what fails. */
function afterDecision(
  deps: DecideDeps,
  { propertyId }: SuggestionDetail,
  { decisionId }: Decision,
): void {
  deps.background.run(`decision ${decisionId}`, async () => {
    await settleDecision(deps, decisionId)
    await deps.cache.invalidate([suggestionsTag(propertyId)])
  })
}
