import type { Query } from '../search/queries.ts'

export const SEARCH_UPSTREAM = '/upstreams/search/api/v1/search/queries'

const EVERYWHERE = {
  mode: 'bounding-box',
  boundingBox: { swLat: -90, swLng: -180, neLat: 90, neLng: 180 },
}

/** A plain search of the whole demo world, as the search upstream receives it. */
export function worldSearch({ dates: stay, occupancy, currency }: Query) {
  const plain = { geo: EVERYWHERE, filters: {}, sortKey: 'recommended', limit: 20 }
  return { ...plain, stay, occupancy, currency }
}
