import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'
import { minorUnitOf } from '../pricing/module.ts'
import { clusterPins } from './cluster-pins.ts'
import { findMatches, type Matches } from './find-matches.ts'
import type { ListingIndex } from './index/listing-index.ts'
import { selectPage } from './paging/select-page.ts'
import { sortKeyFor } from './paging/sort-key.ts'
import { planSearch, type SearchPlan } from './plan-search.ts'

type MapOperation = typeof searchContract.operations.map
type MapRequest = InputOf<MapOperation>['body']
type MapResult = Pick<OutputOf<MapOperation>, 'total' | 'pins' | 'clusters'>
type Pin = MapResult['pins'][number]

const WHOLE_WORLD = { swLat: -90, swLng: -180, neLat: 90, neLng: 180 }

/** The pins with the highest rank first; deterministic for the same query. */
export function drawMap(index: ListingIndex, request: MapRequest, now: Date): MapResult {
  const plan = planSearch(index, request, now)
  const matches = findMatches(index, plan)
  const total = matches.count
  if (total > request.limit) return { total, ...clusterMap(index, plan, { matches, request }) }
  const keyOf = sortKeyFor(index, plan, 'recommended')
  const { items } = selectPage(index, matches, { limit: request.limit, after: null, keyOf })
  return { total, pins: items.map(({ live }) => describePin(index, plan, live)) }
}

function clusterMap(
  index: ListingIndex,
  plan: SearchPlan,
  { matches, request }: { readonly matches: Matches; readonly request: MapRequest },
): Pick<MapResult, 'pins' | 'clusters'> {
  const { geo, limit } = request
  const box = geo.mode === 'bounding-box' ? geo.boundingBox : WHOLE_WORLD
  const rows = matches.rows.subarray(0, matches.count)
  const { singles, clusters } = clusterPins(index, rows, { box, limit })
  return { pins: singles.map((row) => describePin(index, plan, row)), clusters: [...clusters] }
}

function describePin(index: ListingIndex, plan: SearchPlan, row: number): Pin {
  const { propertyId, tenantId, geo, name } = index.documentOf(row)
  const { shown } = plan.prices
  const price = shown.priceOf(row)
  const pin = { propertyId, tenantId, geo, name }
  if (price === null) return { ...pin, ...shown.unavailabilityOf(row) }
  return { ...pin, cheapestNightly: priceOf(price) }
}

function priceOf({ cheapestNightMinor, currency }: PriceOfPin) {
  return { amountMicro: String(BigInt(cheapestNightMinor) * minorUnitOf(currency)), currency }
}

type PriceOfPin = NonNullable<ReturnType<SearchPlan['prices']['shown']['priceOf']>>
