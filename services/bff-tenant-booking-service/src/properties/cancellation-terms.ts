import { addDays, type IsoDate, instantIn, toIsoDateTime } from '@melmastoon/domain'
import { instant, named } from '@melmastoon/upstream-contracts'
import { CancellationTerms } from '@melmastoon/upstream-contracts/pricing'
import { type Static, Type } from 'typebox'

/** The terms of a rate, with the deadline of its free cancellation. */
export const CancellationVM = named(
  'CancellationTerms',
  Type.Object({
    ...CancellationTerms.properties,
    freeUntil: Type.Optional(
      Type.Unsafe<Static<ReturnType<typeof instant>>>(
        Type.String({ ...instant(), description: 'Absent when cancelling is never free' }),
      ),
    ),
  }),
)

export type CancellationVM = Static<typeof CancellationVM>

const HOUR_MS = 3_600_000
/** The terms count hours back from noon of the arrival day, by the clocks of the hotel. */
const NOON = '12:00'

export function describeCancellation(
  { kind, freeUntilHours, penaltyBasisPoints }: CancellationTerms,
  checkIn: IsoDate,
  timeZone: string,
): CancellationVM {
  const terms = { kind, freeUntilHours, penaltyBasisPoints }
  if (kind === 'none') return terms
  const days = Math.floor(freeUntilHours / 24)
  const noon = Date.parse(instantIn(timeZone, addDays(checkIn, -days), NOON))
  const freeUntil = toIsoDateTime(new Date(noon - (freeUntilHours % 24) * HOUR_MS))
  return { ...terms, freeUntil }
}
