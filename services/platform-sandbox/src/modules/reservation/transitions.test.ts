import { isProblem } from '@melmastoon/domain'
import { RESERVATION_MOVES, RESERVATION_STATUSES } from '@melmastoon/upstream-contracts/reservation'
import { describe, expect, it } from 'vitest'
import { checkMove, mayMove } from './transitions.ts'

const ALLOWED = [
  'quoted>held',
  'held>confirmed',
  'held>cancelled',
  'held>expired_hold',
  'confirmed>checked_in',
  'confirmed>cancelled',
  'confirmed>no_show',
  'checked_in>in_house',
  'checked_in>checked_out',
  'in_house>checked_out',
  'expired_hold>confirmed',
  'expired_hold>cancelled',
]

describe('transitions of a reservation', () => {
  it('are exactly these, over all pairs', () => {
    const pairs = RESERVATION_STATUSES.flatMap((from) =>
      RESERVATION_STATUSES.map((to) => ({ from, to })),
    )
    const moves = pairs.filter(({ from, to }) => mayMove(from, to))
    expect(moves.map(({ from, to }) => `${from}>${to}`).toSorted()).toEqual(ALLOWED.toSorted())
  })

  it('never return to the initial status', () => {
    expect(Object.values(RESERVATION_MOVES).flat()).not.toContain('quoted')
  })

  it('are rejected with their code', () => {
    const cancelTwice = () => checkMove('cancelled', 'cancelled')
    expect(cancelTwice).toThrow(
      expect.toSatisfy(
        (error) => isProblem(error) && error.code === 'MELMASTOON.RESERVATION.ILLEGAL_TRANSITION',
      ),
    )
    expect(() => checkMove('held', 'confirmed')).not.toThrow()
  })
})
