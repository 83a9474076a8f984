import { isDeepStrictEqual } from 'node:util'
import type { ClientOf } from '@melmastoon/bff/upstreams'
import type { Id, PropertyId } from '@melmastoon/domain'
import {
  type aiContract,
  DECISION_OUTCOMES,
  type SuggestionDetail,
} from '@melmastoon/upstream-contracts/ai'
import type { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { type Static, Type } from 'typebox'
import { type AcknowledgeDeps, acknowledgeAlert } from '../alerts/acknowledge-alert.ts'
import { type UpdatePreferencesDeps, updatePreferences } from '../preferences/update-preferences.ts'
import {
  DECIDE_PROBLEMS,
  type DecideDeps,
  decideSuggestion,
} from '../suggestions/decide-suggestion.ts'
import type { Decision } from '../suggestions/decision.ts'
import { selectDecisions, toDecision } from '../suggestions/decision-sql.ts'
import { passing } from '../upstreams/staff-change.ts'
import { defineIntent } from './define-intent.ts'
import { isMadeBy, lastChange } from './resource-history.ts'
import { NoArgs } from './task-intents.ts'

const note = () => Type.Optional(Type.String({ minLength: 1, maxLength: 1_000 }))

/** Per operator: the acknowledgement of another changes nothing. */
const acknowledgeIntent = defineIntent({
  name: 'alert.acknowledge',
  operation: 'staff.alert.acknowledge',
  activity: { category: 'alerts', resourceKind: 'alert' },
  resource: 'alt',
  expect: NoArgs,
  args: Type.Object({ note: note() }, { additionalProperties: false }),
  read({ upstreams }: AcknowledgeDeps, { resourceId, actor: { tenantId } }, call) {
    const params = { alertId: resourceId as Id<'alt'> }
    return upstreams.notification.getAlert({ params }, { ...call, tenantId }).catch(passing([]))
  },
  propertyOf: ({ propertyId }) => propertyId,
  // An earlier attempt may have ended before the log was written: it is completed by a repetition.
  isOwn: () => false,
  done(alert, { actor, causationId }) {
    const own = alert.acknowledgedBy.find(({ operatorId }) => operatorId === actor.operatorId)
    if (own === undefined || isMadeBy(alert, causationId)) return null
    return { by: own.operatorId, at: own.at }
  },
  unexpected: () => null,
  apply(deps, { resourceId, args, operator }, call) {
    return acknowledgeAlert(deps, { ...args, operator, alertId: resourceId as Id<'alt'> }, call)
  },
  rejections: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND', 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN'],
})

interface SuggestionWithDecision {
  readonly suggestion: SuggestionDetail
  readonly decision: Decision | null
}

const DecisionArgs = Type.Object(
  {
    outcome: Type.Enum([...DECISION_OUTCOMES]),
    modifiedDelta: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    note: note(),
  },
  { additionalProperties: false },
)

const isSame = (
  { operatorId, outcome }: Decision,
  given: {
    readonly actor: { readonly operatorId: string }
    readonly args: Static<typeof DecisionArgs>
  },
) => operatorId === given.actor.operatorId && outcome === given.args.outcome

/** Expects that nobody has decided. */
const decideIntent = defineIntent({
  name: 'suggestion.decide',
  operation: 'staff.suggestion.decide',
  activity: { category: 'ai', resourceKind: 'suggestion' },
  resource: 'sug',
  expect: NoArgs,
  args: DecisionArgs,
  async read(
    {
      upstreams,
      db,
    }: DecideDeps & {
      readonly upstreams: { readonly ai: Pick<ClientOf<typeof aiContract>, 'getSuggestion'> }
    },
    { resourceId, actor: { tenantId } },
    call,
  ): Promise<SuggestionWithDecision> {
    const suggestionId = resourceId as Id<'sug'>
    const [suggestion, [row]] = await Promise.all([
      upstreams.ai
        .getSuggestion({ params: { suggestionId } }, { ...call, tenantId })
        .catch(passing([])),
      db.tenantQuery(tenantId, selectDecisions([suggestionId]), call),
    ])
    return { suggestion, decision: row === undefined ? null : toDecision(row) }
  },
  propertyOf: ({ suggestion }) => suggestion.propertyId,
  // The log has no causes: a decision of this device after an interrupted attempt is its own.
  isOwn: ({ decision }, given) =>
    given.isRepeated &&
    decision !== null &&
    isSame(decision, given) &&
    decision.deviceId === given.actor.deviceId,
  done({ decision }, given) {
    if (decision === null || !isSame(decision, given)) return null
    return { by: decision.operatorId, at: decision.decidedAt.toISOString() }
  },
  unexpected({ suggestion, decision }) {
    const { version, state, updatedAt, history } = suggestion
    if (decision !== null) {
      const { operatorId, decidedAt, outcome } = decision
      const current = { status: outcome, version }
      return { by: operatorId, at: decidedAt.toISOString(), current }
    }
    if (state === 'proposed') return null
    return lastChange({ status: state, version, updatedAt, history })
  },
  apply(deps, { resourceId, args, operator }, call) {
    return decideSuggestion(
      deps,
      { ...args, operator, suggestionId: resourceId as Id<'sug'> },
      call,
    )
  },
  rejections: [...DECIDE_PROBLEMS, 'MELMASTOON.BFF.BACKOFFICE.ROLE_FORBIDDEN'],
})

/** The operator's own preferences at the property that is the resource. */
const preferencesIntent = defineIntent({
  name: 'preferences.update',
  operation: 'staff.preferences.put',
  activity: { category: 'preferences', resourceKind: 'property' },
  resource: 'ppt',
  expect: Type.Object({ version: Type.Integer({ minimum: 0 }) }, { additionalProperties: false }),
  args: Type.Object(
    {
      payload: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), { maxProperties: 100 }),
    },
    { additionalProperties: false },
  ),
  async read(
    {
      upstreams,
    }: UpdatePreferencesDeps & {
      readonly upstreams: {
        readonly tenant: Pick<ClientOf<typeof tenantContract>, 'getOperatorPreferences'>
      }
    },
    { resourceId, actor: { tenantId, operatorId } },
    call,
  ) {
    const propertyId = resourceId as PropertyId
    const found = await upstreams.tenant
      .getOperatorPreferences(
        { params: { operatorId }, query: { propertyId } },
        { ...call, tenantId },
      )
      .catch(passing([]))
    const updatedAt = found.history.at(-1)?.at ?? new Date(0).toISOString()
    return { ...found, propertyId, status: 'saved', updatedAt }
  },
  propertyOf: ({ propertyId }) => propertyId,
  isOwn: (found, { causationId }) => isMadeBy(found, causationId),
  done(found, { args }) {
    if (!isDeepStrictEqual(found.payload, args.payload)) return null
    const { by, at } = lastChange(found)
    return { by, at }
  },
  unexpected: (found, { expect }) => (found.version === expect.version ? null : lastChange(found)),
  apply(deps, { resourceId, expect, args: { payload }, operator }, call) {
    const propertyId = resourceId as PropertyId
    const update = { operator, propertyId, payload, expectedVersion: expect.version }
    return updatePreferences(deps, update, call)
  },
  rejections: [
    'MELMASTOON.TENANT.VERSION_CONFLICT',
    'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
    'MELMASTOON.GENERAL.VALIDATION_FAILED',
  ],
})

export type InboxIntentDeps = AcknowledgeDeps & DecideDeps & UpdatePreferencesDeps
export const inboxIntents = [acknowledgeIntent, decideIntent, preferencesIntent] as const
