import type { LatLng } from './sphere.ts'

/**
 * Closed on all sides. `swLng` greater than `neLng` means that the box crosses the antimeridian.
 */
export interface BoundingBox {
  readonly swLat: number
  readonly swLng: number
  readonly neLat: number
  readonly neLng: number
}

export function boxContains(box: BoundingBox, lat: number, lng: number): boolean {
  if (lat < box.swLat || lat > box.neLat) return false
  // At a pole all meridians meet, and -180 and 180 are the same meridian.
  if (lat === 90 || lat === -90) return true
  if (lng === 180 || lng === -180) return spans(box, 180) || spans(box, -180)
  return spans(box, lng)
}

function spans({ swLng, neLng }: BoundingBox, lng: number): boolean {
  return swLng <= neLng ? lng >= swLng && lng <= neLng : lng >= swLng || lng <= neLng
}

export function boxCentre({ swLat, swLng, neLat, neLng }: BoundingBox): LatLng {
  const width = swLng <= neLng ? neLng - swLng : neLng - swLng + 360
  const lng = swLng + width / 2
  return { lat: (swLat + neLat) / 2, lng: lng > 180 ? lng - 360 : lng }
}
