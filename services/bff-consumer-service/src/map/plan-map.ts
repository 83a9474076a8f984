import { type PropertyId, problem } from '@melmastoon/domain'
import { type Preferences, planQuery } from '../search/plan-page.ts'
import { normalizeQuery, type PageRequest } from '../search/search-query.ts'
import { type MapBody, PINS_MAX } from './map-schema.ts'

export interface MapRequest extends PageRequest {
  /** Not a part of the query: the map is the same for every targeted pin. */
  readonly target: PropertyId | undefined
}

/** @throws Problem AREA_INVALID unless the area is a box, VALIDATION_FAILED as for a list. */
export function planMap(body: MapBody, preferences: Preferences, now: Date): MapRequest {
  if (body.geo.mode !== 'bounding-box') throw unsupportedMode()
  const normalized = normalizeQuery(body, now)
  const query = { ...normalized, geo: exactBox(body.geo.boundingBox) ?? normalized.geo }
  const plan = planQuery(query, preferences)
  return {
    kind: 'map',
    cursor: undefined,
    pageSize: PINS_MAX,
    ...plan,
    pageKey: `map ${plan.queryText}`,
    dims: Object.freeze({ ...preferences, query: plan.queryText }),
    target: body.targetPropertyId,
  }
}

/**
 * A pin is inside the box or outside, also in a box without area, so corners are rounded far more
 * finely than for lists: to the centimetre, which only removes floating-point noise.
 */
function exactBox(box: MapBody['geo']['boundingBox']) {
  if (box === undefined) return undefined
  const { swLat, swLng, neLat, neLng } = box
  return {
    mode: 'bounding-box' as const,
    boundingBox: {
      swLat: degrees(swLat),
      swLng: degrees(swLng),
      neLat: degrees(neLat),
      neLng: degrees(neLng),
    },
  }
}

/** Adding zero turns -0 into 0. */
function degrees(value: number): number {
  return Math.round(value * 1e7) / 1e7 + 0
}

function unsupportedMode() {
  const detail = 'a map requires the mode bounding-box'
  return problem('MELMASTOON.SEARCH.AREA_INVALID', {
    errors: [{ pointer: '/geo/mode', code: 'unsupported', detail }],
  })
}
