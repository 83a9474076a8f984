import fc from 'fast-check'
import type { History } from './run-history.ts'

const number = fc.noBias(fc.nat({ max: 0xffff }))

/** Shrinks to fewer actions, and to fewer faults and changes of order. */
export function arbitraryHistory(actionsMax = 16, scheduleMax = 500): fc.Arbitrary<History> {
  return fc.record({
    guests: fc.noBias(fc.nat({ max: 5 })),
    rooms: fc.nat({ max: 1 }),
    actions: fc.array(fc.tuple(number, number, number, number), {
      minLength: 3,
      maxLength: actionsMax,
      size: 'max',
    }),
    schedule: fc.array(number, { maxLength: scheduleMax, size: 'max' }),
  })
}
