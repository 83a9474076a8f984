import { addDays, type IsoDate, newId } from '@melmastoon/domain'
import {
  CLASS_OF_CATEGORY,
  type DecisionOutcome,
  type Proposal,
} from '@melmastoon/upstream-contracts/ai'
import { describe, expect, it } from 'vitest'
import type { Decision } from './decision.ts'
import { type DecidedOn, effectsOf } from './decision-effect.ts'

const money = (units: number) => ({ amountMicro: `${units}000000`, currency: 'USD' as const })

const NIGHT = '2026-11-20' as IsoDate

const PROPOSALS: readonly Proposal[] = [
  {
    kind: 'overbooking_warning',
    roomTypeId: newId('rmt'),
    night: NIGHT,
    rooms: 4,
    demand: 6,
    action: 'relocate',
  },
  {
    kind: 'rate_change',
    roomTypeId: newId('rmt'),
    from: NIGHT,
    to: addDays(NIGHT, 2),
    currentNightly: money(40),
    proposedNightly: money(45),
  },
  { kind: 'housekeeping_reorder', roomIds: [newId('rmu')], date: NIGHT },
  {
    kind: 'maintenance_priority',
    workOrderId: newId('mnt'),
    currentPriority: 'low',
    proposedPriority: 'high',
  },
  { kind: 'guest_special_handling', reservationId: newId('rsv'), handlings: ['quiet_room'] },
  {
    kind: 'staffing',
    department: 'housekeeping',
    date: NIGHT,
    shift: 'morning',
    additionalStaff: 1,
  },
  {
    kind: 'audit_anomaly',
    anomaly: 'unusual_discounts',
    observed: 9,
    expected: 2,
    disposition: 'investigate',
  },
]

function suggestionOf(proposal: Proposal): DecidedOn {
  return {
    suggestionId: newId('sug'),
    propertyId: newId('ppt'),
    class: CLASS_OF_CATEGORY[proposal.kind],
    severity: 'warning',
    resourceKind: 'property',
    resourceId: newId('ppt'),
    proposal,
  }
}

function decisionOf(
  { suggestionId }: DecidedOn,
  outcome: DecisionOutcome,
  modifiedDelta: Decision['modifiedDelta'] = null,
): Decision {
  const ids = { decisionId: newId('sdl'), operatorId: newId('opr'), deviceId: newId('dev') }
  return { ...ids, suggestionId, outcome, modifiedDelta, decidedAt: new Date() }
}

const AUDIENCES = {
  desk: ['front_desk', 'general_manager'],
  hk: ['housekeeping', 'general_manager'],
  mt: ['maintenance', 'general_manager'],
  mgmt: ['general_manager', 'owner'],
}

describe('what follows from a decision', () => {
  it.each(PROPOSALS)('$kind: accepted, it is assigned to the staff of its class', (proposal) => {
    const suggestion = suggestionOf(proposal)
    expect(effectsOf(suggestion, decisionOf(suggestion, 'accepted'))).toMatchObject([
      { kind: 'record', outcome: 'accepted' },
      {
        kind: 'assign',
        title: { key: `suggestions.${proposal.kind}.agreed` },
        audience: AUDIENCES[suggestion.class],
      },
    ])
  })

  it.each(PROPOSALS)('$kind: rejected, nothing but the record', (proposal) => {
    const suggestion = suggestionOf(proposal)
    const effects = effectsOf(suggestion, decisionOf(suggestion, 'rejected'))
    expect(effects.map(({ kind }) => kind)).toEqual(['record'])
  })

  it('a stop of sales is the only change that an upstream makes as agreed', () => {
    const changed = PROPOSALS.flatMap((proposal) => {
      const suggestion = suggestionOf(proposal)
      const delta = proposal.kind === 'overbooking_warning' ? { action: 'stop_sale' } : null
      const outcome = delta === null ? 'accepted' : 'modified'
      return effectsOf(suggestion, decisionOf(suggestion, outcome, delta))
    })
    const others = changed.filter(({ kind }) => kind !== 'record' && kind !== 'assign')
    expect(others).toMatchObject([{ kind: 'stop_sale', from: '2026-11-20', to: '2026-11-21' }])
  })
})
