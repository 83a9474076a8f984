import { type PropertyId, problem } from '@melmastoon/domain'
import { tagsOfArea } from '../places/tags-of-area.ts'
import { hashQuery } from '../search/hash-query.ts'
import { normalizeQuery } from '../search/normalize-query.ts'
import type { PageRequest } from '../search/search-query.ts'
import type { Preferences } from '../sessions/choose-preferences.ts'
import type { MapBody } from './map-fields.ts'
import { PINS_MAX } from './map-view.ts'

export interface MapRequest extends PageRequest {
  /** No part of the question: whatever a guest points at, it is the same map. */
  readonly target: PropertyId | undefined
}

/** @throws Problem AREA_INVALID for an area that is no box, VALIDATION_FAILED as a list does. */
export function planMap(body: MapBody, preferences: Preferences, now: Date): MapRequest {
  if (body.geo.mode !== 'bounding-box') throw refuseMode()
  const normalized = normalizeQuery(body, now)
  const query = { ...normalized, geo: exactBox(body.geo.boundingBox) ?? normalized.geo }
  const queryText = JSON.stringify(query)
  return {
    kind: 'map',
    query,
    cursor: undefined,
    pageSize: PINS_MAX,
    ...preferences,
    queryText,
    queryHash: hashQuery(queryText),
    pageKey: `map ${queryText}`,
    dims: Object.freeze({ ...preferences, query: queryText }),
    tags: tagsOfArea(query.geo),
    target: body.targetPropertyId,
  }
}

/**
 * A pin is inside or it is not, also in a box without area, so corners are taken far more finely
 * than for lists: to the centimetre, which only forgets what floating point has added.
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

/** Adding zero makes -0 plain. */
function degrees(value: number): number {
  return Math.round(value * 1e7) / 1e7 + 0
}

function refuseMode() {
  const detail = 'a map is drawn of a bounding-box'
  return problem('MELMASTOON.SEARCH.AREA_INVALID', {
    errors: [{ pointer: '/geo/mode', code: 'unsupported', detail }],
  })
}
