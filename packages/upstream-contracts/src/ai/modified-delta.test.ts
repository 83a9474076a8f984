import { type IsoDate, newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { applyModifiedDelta, findDeltaErrors } from './modified-delta.ts'
import type { Proposal } from './proposals.ts'

const [first, second] = [newId('rmu'), newId('rmu')]
const date = '2026-03-19' as IsoDate
const money = (amountMicro: string, currency: 'AFN' | 'USD' = 'AFN') => ({ amountMicro, currency })

const RATE: Proposal = {
  kind: 'rate_change',
  roomTypeId: newId('rmt'),
  from: date,
  to: '2026-03-26' as IsoDate,
  currentNightly: money('1000000'),
  proposedNightly: money('1100000'),
}
const REORDER: Proposal = { kind: 'housekeeping_reorder', roomIds: [first, second], date }
const STAFFING: Proposal = {
  kind: 'staffing',
  department: 'housekeeping',
  date,
  shift: 'morning',
  additionalStaff: 1,
}
const PRIORITY: Proposal = {
  kind: 'maintenance_priority',
  workOrderId: newId('mnt'),
  currentPriority: 'normal',
  proposedPriority: 'high',
}
const HANDLING: Proposal = {
  kind: 'guest_special_handling',
  reservationId: newId('rsv'),
  handlings: ['quiet_room'],
}
const OVERBOOKING: Proposal = {
  kind: 'overbooking_warning',
  roomTypeId: newId('rmt'),
  night: date,
  rooms: 4,
  demand: 5,
  action: 'stop_sale',
}
const ANOMALY: Proposal = {
  kind: 'audit_anomaly',
  anomaly: 'unusual_discounts',
  observed: 9,
  expected: 2,
  disposition: 'investigate',
}

describe('the delta of a modified suggestion', () => {
  it.each<[Proposal, object]>([
    [RATE, { proposedNightly: money('1050000') }],
    [RATE, { to: '2026-03-22' }],
    [REORDER, { roomIds: [second, first] }],
    [STAFFING, { additionalStaff: 2, shift: 'night' }],
    [PRIORITY, { proposedPriority: 'critical' }],
    [HANDLING, { handlings: ['ground_floor', 'extra_bed'] }],
    [OVERBOOKING, { action: 'relocate' }],
    [ANOMALY, { disposition: 'escalate' }],
  ])('of $kind is merged into the proposal', (proposal, delta) => {
    expect(findDeltaErrors(proposal, delta)).toEqual([])
    expect(applyModifiedDelta(proposal, delta)).toEqual({ ...proposal, ...delta })
  })

  it.each<[Proposal, unknown, string]>([
    [RATE, {}, ''],
    [RATE, undefined, ''],
    [RATE, { proposedNightly: money('-5') }, '/proposedNightly/amountMicro'],
    [RATE, { proposedNightly: money('1050000', 'USD') }, '/proposedNightly/currency'],
    [RATE, { proposedNightly: RATE.proposedNightly }, ''],
    [RATE, { from: '2026-03-26' }, '/to'],
    [RATE, { currentNightly: money('1') }, ''],
    [REORDER, { roomIds: [first, newId('rmu')] }, '/roomIds'],
    [REORDER, { roomIds: [first] }, '/roomIds'],
    [REORDER, { roomIds: [first, first] }, '/roomIds'],
    [STAFFING, { additionalStaff: 1.5 }, '/additionalStaff'],
    [STAFFING, { additionalStaff: 1 }, ''],
    [STAFFING, { department: 'front_desk' }, ''],
    [PRIORITY, { proposedPriority: 'urgent' }, '/proposedPriority'],
    [HANDLING, { handlings: [] }, '/handlings'],
    [OVERBOOKING, { rooms: 6 }, ''],
    [ANOMALY, { action: 'stop_sale' }, ''],
  ])('of $kind is rejected: %j', (proposal, delta, pointer) => {
    const errors = findDeltaErrors(proposal, delta)
    expect(errors.map((error) => error.pointer)).toContain(pointer)
    expect(() => applyModifiedDelta(proposal, delta)).toThrow(TypeError)
  })
})
