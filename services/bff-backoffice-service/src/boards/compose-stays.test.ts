import { type IsoDate, newId } from '@melmastoon/domain'
import type { KeyCredential } from '@melmastoon/upstream-contracts/lock'
import type { StaffStay } from '@melmastoon/upstream-contracts/reservation'
import { describe, expect, it } from 'vitest'
import type { OperatorRole } from '../access/operator.ts'
import { rightsOn } from './board-rights.ts'
import { composeStays, type StayParts } from './compose-stays.ts'

const roomId = newId('rmu')
const date = '2026-11-16' as IsoDate
const folioId = newId('fol')

function stayOf(status: StaffStay['status']): StaffStay {
  const made: unknown = {
    reservationId: newId('rsv'),
    code: 'ABCDEFGH',
    status,
    version: 1,
    checkOut: date,
    items: [],
    rooms: [{ roomId, number: '101' }],
    guest: { fullName: 'Guest', locale: 'en' },
    party: { adults: 1, children: 0 },
    folioId,
    flags: [],
  }
  return made as StaffStay
}

/** An occupied room, a folio with a balance, and keys in these states. */
function rowOf(
  stay: StaffStay,
  role: OperatorRole,
  keyStates: readonly KeyCredential['state'][] | undefined = [],
) {
  const { reservationId } = stay
  const balance = { amountMicro: '5000000', currency: 'USD' }
  const parts: unknown = {
    stays: [stay],
    rooms: [{ roomId, condition: 'dirty', occupancy: 'occupied', flags: [] }] as unknown,
    folios: [{ reservationId, folioId, status: 'open', balance }],
    keys: keyStates.map((state) => ({ keyId: newId('key'), reservationId, state })),
    date,
    checkOutTime: '11:00',
  }
  const viewer = { roles: [role], isLead: false, operatorId: newId('opr') }
  const rights = rightsOn('in_house', viewer)
  const [row] = composeStays(parts as StayParts, rights)
  if (row === undefined) throw new Error('no row')
  return row
}

describe('a row of a stay', () => {
  it('offers to revoke keys only where there may be one', () => {
    const stay = stayOf('in_house')
    const isOffered = (states: readonly KeyCredential['state'][]) =>
      rowOf(stay, 'front_desk', states).allowedActions.includes('revoke_key')
    expect([isOffered([]), isOffered(['pending']), isOffered(['active'])]).toEqual([
      false,
      true,
      true,
    ])
  })

  it.each(['checked_in', 'in_house'] as const)('has no readiness of the room when %s', (status) => {
    const { readiness, rooms } = rowOf(stayOf(status), 'front_desk')
    expect([readiness, rooms[0]]).toEqual([
      'occupied',
      expect.not.objectContaining({ ready: false }),
    ])
    const awaited = rowOf(stayOf('confirmed'), 'front_desk')
    expect([awaited.readiness, awaited.rooms[0]?.ready]).toEqual(['not_ready', false])
  })

  it('STAFF-BRD-02 has neither guest, code, money nor keys for housekeeping', () => {
    const hidden = ['balance', 'code', 'folioId', 'folioStatus', 'guest', 'keyIds', 'keyState']
    const namesFor = (role: OperatorRole) =>
      Object.keys(rowOf(stayOf('in_house'), role, ['active'])).toSorted()
    const seen = namesFor('housekeeping')
    expect(namesFor('front_desk')).toEqual([...seen, ...hidden].toSorted())
    expect(seen).toContain('rooms')
  })
})
