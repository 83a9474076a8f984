import { post, type SendOptions, searchRequest, type TestResponse } from './start-consumer.ts'

/** A box around Kabul, where the fake upstreams have twelve hotels. */
export const KABUL = { swLat: 34, swLng: 69, neLat: 35, neLng: 70 }
export const WHOLE_WORLD = { swLat: -90, swLng: -180, neLat: 90, neLng: 180 }

export function mapRequest(over: Record<string, unknown> = {}, box = KABUL) {
  return searchRequest({ geo: { mode: 'bounding-box', boundingBox: box }, ...over })
}

export function searchMap(
  url: string,
  json: unknown,
  options: SendOptions = {},
): Promise<TestResponse> {
  return post(url, '/search/map', { json, ...options })
}

export interface Pin extends Record<string, unknown> {
  propertyId: string
  geo: { lat: number; lng: number }
  cheapestNightlyMinor?: number
  currency?: string
}

export const pinsOf = ({ body }: TestResponse) => body['pins'] as Pin[]

export function pointersOf({ body }: TestResponse): string[] {
  return ((body['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer)
}

export const outcomeOf = ({ status, body }: TestResponse) => [status, body['code']]
