/** The mean radius of the Earth (IUGG), for great-circle distances. */
export const EARTH_RADIUS_KM = 6_371.0088

const RADIANS = Math.PI / 180

export interface LatLng {
  readonly lat: number
  readonly lng: number
}

/** A point on the unit sphere, without special cases at the antimeridian and the poles. */
export interface UnitVector {
  readonly x: number
  readonly y: number
  readonly z: number
}

export function toUnitVector({ lat, lng }: LatLng): UnitVector {
  const across = Math.cos(lat * RADIANS)
  return {
    x: across * Math.cos(lng * RADIANS),
    y: across * Math.sin(lng * RADIANS),
    z: Math.sin(lat * RADIANS),
  }
}

/**
 * The squared chord between two points, four times the `a` of the haversine formula. It is
 * monotonic in the distance and needs no trigonometry.
 */
export function chordSquared(a: UnitVector, b: UnitVector): number {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2
}

export function kmToChordSquared(km: number): number {
  return (2 * Math.sin(km / (2 * EARTH_RADIUS_KM))) ** 2
}

/** Haversine: accurate for near and antipodal points. */
export function chordSquaredToKm(chord: number): number {
  return 2 * EARTH_RADIUS_KM * Math.asin(Math.min(1, Math.sqrt(chord) / 2))
}

/** The centre of several points, also across the antimeridian. */
export function middleOf(places: readonly LatLng[]): LatLng {
  const sum = { x: 0, y: 0, z: 0 }
  for (const place of places) {
    const { x, y, z } = toUnitVector(place)
    sum.x += x
    sum.y += y
    sum.z += z
  }
  const lat = Math.atan2(sum.z, Math.hypot(sum.x, sum.y)) / RADIANS
  return { lat, lng: Math.atan2(sum.y, sum.x) / RADIANS }
}

export function distanceKm(a: LatLng, b: LatLng): number {
  return chordSquaredToKm(chordSquared(toUnitVector(a), toUnitVector(b)))
}
