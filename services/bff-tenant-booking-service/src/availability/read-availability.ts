import { countSections, MISSING_SECTION, type Section } from '@melmastoon/bff/sections'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { CachedBytes, LoadResult } from '@melmastoon/chassis/cache'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { type ReportSection, settleSections } from '@melmastoon/chassis/upstream'
import { type PropertyDeps, readProperty } from '../properties/read-property.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { addressOf } from './availability-address.ts'
import {
  AVAILABILITY_MS,
  type AvailabilityCaches,
  type AvailabilityRequest,
} from './availability-caches.ts'
import type { AvailabilityVM } from './availability-view.ts'
import { type AvailabilityParts, composeAvailability } from './compose-availability.ts'
import { PRICE_FRESH_MS, type RateDeps, readRates } from './read-rates.ts'
import { type RoomsLeftDeps, readRoomsLeft } from './read-rooms-left.ts'
import { checkArrival } from './stay-request.ts'

export type AvailabilityDeps = Pick<AvailabilityCaches, 'availability'> &
  PropertyDeps &
  RateDeps &
  RoomsLeftDeps & {
    readonly reportSection: ReportSection
    readonly measures: { readonly sections: CounterMetric<'section' | 'status'> }
  }

/** Incomplete responses are composed again soon. */
const INCOMPLETE_MS = 2_000
const FRESH_MIN_MS = 1_000

/** Synchronous: undefined when this process has no fresh copy. */
export function peekAvailability(
  { availability }: Pick<AvailabilityDeps, 'availability'>,
  request: AvailabilityRequest,
): CachedBytes | undefined {
  const { dims, tags } = addressOf(request)
  return availability.peek(dims, tags)
}

/**
 * The rooms of a hotel for a stay, as bytes. A late price or room count is left out, and the
 * response says so (F-3, F-5).
 * @throws Problem PROPERTY.NOT_FOUND, VALIDATION_FAILED for a day that is over at the hotel, or why
 * the property service cannot be called.
 */
export function readAvailability(
  deps: AvailabilityDeps,
  request: AvailabilityRequest,
  { deadline, trace }: UpstreamCall,
): Promise<CachedBytes> {
  return deps.availability
    .get({
      ...addressOf(request),
      deadline,
      load: (_signal, loadDeadline) => load(deps, request, { deadline: loadDeadline, trace }),
    })
    .catch(asBudgetExceeded)
}

async function load(
  deps: AvailabilityDeps,
  request: AvailabilityRequest,
  call: UpstreamCall,
): Promise<LoadResult> {
  const optional = settleSections(
    { prices: readRates(deps, request, call), inventory: readRoomsLeft(deps, request, call) },
    deps.reportSection,
  )
  const { property, section } = await readProperty(deps, request, call)
  checkArrival({ stay: request.stay, timeZone: property.timeZone, now: deps.clock.now() })
  const { prices, inventory } = await optional
  const parts: AvailabilityParts = {
    property,
    rates: prices.value?.rates ?? null,
    roomsLeft: inventory.value?.byRoomType ?? null,
    sections: {
      property: section,
      inventory: inventory.value?.section ?? MISSING_SECTION,
      prices: prices.value?.section ?? MISSING_SECTION,
    },
  }
  countSections(deps.measures.sections, parts.sections)
  return {
    body: JSON.stringify(composeAvailability(request, parts)),
    freshForMs: freshFor(deps, request, parts.sections),
  }
}

function freshFor(
  { flags }: AvailabilityDeps,
  { tenantId }: AvailabilityRequest,
  { property, inventory, prices }: AvailabilityVM['sections'],
): number {
  if ([property, inventory, prices].some(isMissing) || inventory.status === 'stale') {
    return INCOMPLETE_MS
  }
  const longest = flags.isFlashSale(tenantId) ? AVAILABILITY_MS.flashSale : AVAILABILITY_MS.normal
  // Prices that are stale say so already; fresh ones must not become stale unnoticed (D6).
  if (prices.status === 'stale') return longest
  return Math.max(FRESH_MIN_MS, Math.min(longest, PRICE_FRESH_MS - prices.ageMs))
}

function isMissing({ status }: Section): boolean {
  return status === 'missing'
}
