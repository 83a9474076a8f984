import { addDays, type Id, type IsoDate, type PropertyId, toIsoDateTime } from '@melmastoon/domain'
import type { Actor } from '@melmastoon/upstream-contracts'
import {
  applyModifiedDelta,
  type DecisionOutcome,
  type Proposal,
  type Suggestion,
  type SuggestionClass,
} from '@melmastoon/upstream-contracts/ai'
import type { OperatorRole } from '../access/operator.ts'
import type { Decision, ModifiedDelta } from './decision.ts'

/** Tells the AI service about the decision. */
export interface RecordEffect {
  readonly kind: 'record'
  readonly suggestionId: Id<'sug'>
  readonly outcome: DecisionOutcome
  readonly modifiedDelta: ModifiedDelta | null
  readonly decidedAt: string
  readonly actor: Actor
}

/** No more rooms of the type are sold for the night. */
export interface StopSaleEffect {
  readonly kind: 'stop_sale'
  readonly propertyId: PropertyId
  readonly roomTypeId: Id<'rmt'>
  readonly from: IsoDate
  readonly to: IsoDate
}

/** Staff carries the proposal out: there is no service that does. */
export interface AssignEffect {
  readonly kind: 'assign'
  readonly propertyId: PropertyId
  readonly title: { readonly key: string; readonly params: Record<string, string | number> }
  readonly severity: Suggestion['severity']
  readonly audience: readonly OperatorRole[]
  readonly resourceKind: Suggestion['resourceKind']
  readonly resourceId: string
}

/** What follows from a decision; it is separate from it and never undoes it. */
export type Effect = RecordEffect | StopSaleEffect | AssignEffect

const AUDIENCES: Readonly<Record<SuggestionClass, readonly OperatorRole[]>> = {
  desk: ['front_desk', 'general_manager'],
  hk: ['housekeeping', 'general_manager'],
  mt: ['maintenance', 'general_manager'],
  mgmt: ['general_manager', 'owner'],
}

/** What an effect needs of the suggestion. */
export type DecidedOn = Pick<
  Suggestion,
  'suggestionId' | 'propertyId' | 'class' | 'severity' | 'resourceKind' | 'resourceId' | 'proposal'
>

export function effectsOf(suggestion: DecidedOn, decision: Decision): Effect[] {
  const { suggestionId, outcome, modifiedDelta, decidedAt, operatorId, deviceId } = decision
  const record: RecordEffect = {
    kind: 'record',
    suggestionId,
    outcome,
    modifiedDelta,
    decidedAt: toIsoDateTime(decidedAt),
    actor: { operatorId, deviceId },
  }
  if (outcome === 'rejected') return [record]
  const { proposal } = suggestion
  const agreed = modifiedDelta === null ? proposal : applyModifiedDelta(proposal, modifiedDelta)
  return [record, ...changesOf(suggestion, agreed)]
}

/**
 * Only what an upstream can do exactly as agreed is done here. The pricing service changes all
 * prices of a plan by a percentage, not those of some nights; housekeeping has no order of rooms,
 * maintenance no change of priority, and nobody plans staff. Those are assigned to staff.
 */
function changesOf(suggestion: DecidedOn, proposal: Proposal): Effect[] {
  const { propertyId } = suggestion
  if (proposal.kind === 'audit_anomaly' && proposal.disposition === 'ignore') return []
  if (proposal.kind === 'overbooking_warning' && proposal.action === 'stop_sale') {
    const { roomTypeId, night } = proposal
    return [{ kind: 'stop_sale', propertyId, roomTypeId, from: night, to: addDays(night, 1) }]
  }
  return [assign(suggestion, proposal)]
}

function assign(suggestion: DecidedOn, proposal: Proposal): AssignEffect {
  const { propertyId, severity, resourceKind, resourceId, suggestionId } = suggestion
  return {
    kind: 'assign',
    propertyId,
    title: {
      key: `suggestions.${proposal.kind}.agreed`,
      params: { suggestionId, ...paramsOf(proposal) },
    },
    severity,
    audience: AUDIENCES[suggestion.class],
    resourceKind,
    resourceId,
  }
}

/** For the desk, which has to stop the sale itself. */
export function stopSaleFailed(effect: StopSaleEffect): AssignEffect {
  const { propertyId, roomTypeId, from } = effect
  return {
    kind: 'assign',
    propertyId,
    title: {
      key: 'suggestions.overbooking_warning.failed',
      params: { night: from, roomTypeId, action: 'stop_sale' },
    },
    severity: 'critical',
    audience: AUDIENCES.desk,
    resourceKind: 'room_type',
    resourceId: roomTypeId,
  }
}

/** The values of the proposal that the text names. */
function paramsOf(proposal: Proposal): Record<string, string | number> {
  switch (proposal.kind) {
    case 'overbooking_warning':
      return { night: proposal.night, action: proposal.action }
    case 'rate_change': {
      const { from, to, proposedNightly } = proposal
      const { amountMicro, currency } = proposedNightly
      return { from, to, amountMicro, currency }
    }
    case 'housekeeping_reorder':
      return { date: proposal.date, rooms: proposal.roomIds.length }
    case 'maintenance_priority':
      return { workOrderId: proposal.workOrderId, priority: proposal.proposedPriority }
    case 'guest_special_handling':
      return { reservationId: proposal.reservationId, handlings: proposal.handlings.join('.') }
    case 'staffing': {
      const { department, date, shift, additionalStaff } = proposal
      return { department, date, shift, additionalStaff }
    }
    case 'audit_anomaly':
      return { anomaly: proposal.anomaly, disposition: proposal.disposition }
  }
}
