import { addDays, type IsoDate, parseIsoDate } from '@melmastoon/domain'
import type { Scenery } from '../../../world/city.ts'
import type { Season } from '../engine/rule-set.ts'

/** The first day of each feast; the lunar calendar shifts them by eleven days a year. */
const EID_AL_FITR = ['2025-03-30', '2026-03-20', '2027-03-09', '2028-02-26', '2029-02-14']
const EID_AL_ADHA = ['2025-06-06', '2026-05-27', '2027-05-16', '2028-05-05', '2029-04-24']
const NOWRUZ = { from: '03-18', nights: 16, basisPoints: 13_500 }

interface Yearly {
  readonly code: string
  readonly from: string
  readonly nights: number
  readonly basisPoints: number
}

/** Bamyan has its season in summer; the Gulf in winter. */
const BY_SCENERY: Readonly<Record<Scenery, readonly Yearly[]>> = {
  mountain: [
    { code: 'SUMMER', from: '06-01', nights: 100, basisPoints: 12_500 },
    { code: 'WINTER', from: '12-01', nights: 90, basisPoints: 8_000 },
  ],
  desert: [
    { code: 'SUMMER', from: '06-01', nights: 92, basisPoints: 8_500 },
    { code: 'WINTER', from: '11-15', nights: 110, basisPoints: 12_000 },
  ],
  sea: [{ code: 'SUMMER', from: '06-15', nights: 78, basisPoints: 13_000 }],
  north: [{ code: 'LIGHTS', from: '11-15', nights: 120, basisPoints: 12_500 }],
  town: [{ code: 'WINTER', from: '01-05', nights: 50, basisPoints: 9_200 }],
}

/** Feasts take precedence: the first season that covers a night applies. */
export function seasonsOf(
  anchorDate: IsoDate,
  place: { scenery: Scenery; hasMuslimFeasts: boolean; hasNowruz: boolean },
): readonly Season[] {
  const first = Number(anchorDate.slice(0, 4)) - 1
  const years = [0, 1, 2, 3].map((ahead) => first + ahead)
  const yearly = (rule: Yearly) => years.map((year) => season(`${year}-${rule.from}`, rule))
  return [
    ...(place.hasMuslimFeasts ? [...feasts('EID-AL-FITR', EID_AL_FITR)] : []),
    ...(place.hasMuslimFeasts ? [...feasts('EID-AL-ADHA', EID_AL_ADHA)] : []),
    ...(place.hasNowruz ? yearly({ code: 'NOWRUZ', ...NOWRUZ }) : []),
    ...BY_SCENERY[place.scenery].flatMap(yearly),
  ]
}

function feasts(code: string, days: readonly string[]): Season[] {
  return days.map((day) => season(day, { code, nights: 5, basisPoints: 13_000 }))
}

function season(from: string, { code, nights, basisPoints }: Omit<Yearly, 'from'>): Season {
  const first = parseIsoDate(from)
  return { code, from: first, to: addDays(first, nights), basisPoints }
}
