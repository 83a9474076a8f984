import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { Brands } from '../brands/read-brands.ts'
import type { RateSnapshotVM } from '../rates/rate-snapshot.ts'
import type { HotelPage } from './hotel-detail.ts'
import type { PricesAsked } from './load-prices.ts'
import { priceFactsOf } from './price-facts.ts'
import type { HotelSources } from './read-sources.ts'
import { fillGaps } from './write-hotel.ts'

/** All that a page is made of; what did not come in time is undefined. */
export interface HotelPieces {
  readonly sources: HotelSources
  readonly asked: PricesAsked
  readonly prices: CachedBytes | undefined
  readonly brands: Brands | undefined
}

type Sections = HotelPage['sections']

/** The page as JSON text: the part that lives long, with its prices put into the gaps. */
export function joinHotel(text: string, pieces: HotelPieces, sections: Sections): string {
  const { stay, occupancy } = pieces.asked
  const degraded = Object.values(sections).some(({ status }) => status !== 'fresh')
  const head = JSON.stringify({ sections, degraded, stay, occupancy }).slice(0, -1)
  return `${head},${fillGaps(text, fillingOf(pieces))}}`
}

function fillingOf({ asked, prices }: HotelPieces) {
  if (prices === undefined) return { own: '', rateOf: () => '' }
  const { rates, calendar } = priceFactsOf(prices)
  const byProperty = JSON.parse(rates) as Record<string, RateSnapshotVM>
  const member = (name: string, propertyId: string) => {
    const rate = byProperty[propertyId]
    return rate === undefined ? '' : `,"${name}":${JSON.stringify(agedInPublic(rate))}`
  }
  const days = calendar === null ? '' : `,"priceCalendarPreview":${calendar}`
  return {
    own: `${member('cheapestRateSnapshot', asked.propertyId)}${days}`,
    rateOf: (propertyId: string) => member('rateSnapshot', propertyId),
  }
}

/** A CDN may show the page for minutes to come: no price on it is promised to be fresh. */
function agedInPublic(rate: RateSnapshotVM): RateSnapshotVM {
  return { ...rate, isStale: true }
}

const MISSING = { status: 'missing', ageMs: 0 } as const

export function judgeHotel(pieces: HotelPieces, nowMs: number): Sections {
  const { sources, prices, brands } = pieces
  return {
    property: sectionOf(sources.property),
    similar: sectionOf(sources.signals),
    prices: prices === undefined ? MISSING : judgePrices(prices, nowMs),
    brand:
      brands === undefined ? MISSING : { status: brands.status, ageMs: Math.round(brands.ageMs) },
  }
}

function sectionOf(entry: CachedBytes | undefined): Sections['property'] {
  if (entry === undefined) return MISSING
  const status = entry.state === 'stale' ? 'stale' : 'fresh'
  return { status, ageMs: Math.round(entry.ageMs) }
}

function judgePrices(prices: CachedBytes, nowMs: number): Sections['prices'] {
  const { capturedAtMs, staleFromMs, isComplete } = priceFactsOf(prices)
  const ageMs = Math.max(0, Math.round(nowMs - capturedAtMs))
  if (!isComplete) return { status: 'missing', ageMs }
  return { status: nowMs >= staleFromMs ? 'stale' : 'fresh', ageMs }
}
