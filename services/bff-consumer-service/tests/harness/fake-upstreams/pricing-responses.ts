import { addDays, type IsoDate } from '@melmastoon/domain'
import type { Asked, Stand } from './types.ts'

export function previews(stand: Stand, { body }: Asked) {
  return {
    previews: (body['propertyIds'] as string[]).map((id) => preview(stand, id, body)),
    capturedAt: stand.capturedAt(),
    validUntil: stand.capturedAt(),
  }
}

/** The second day is sold out, and each day is a unit dearer than the one before. */
export function calendar(stand: Stand, { path }: Asked) {
  const { pathname, searchParams } = new URL(path, 'http://pricing.example')
  const propertyId = pathname.split('/').at(-2)
  const hotel = soldHotel(stand, propertyId)
  if (hotel === undefined) return {}
  const from = searchParams.get('from') as IsoDate
  const currency = searchParams.get('currency')
  const days = Array.from({ length: Number(searchParams.get('nights')) }, (_, at) => {
    const amountMicro = String(BigInt(hotel.nightlyMicro) + BigInt(at) * 1_000_000n)
    const cheapest = { amountMicro, currency }
    return { date: addDays(from, at), ...(at !== 1 && { cheapest }) }
  })
  return { propertyId, days, capturedAt: stand.capturedAt(), margin: 'must not get through' }
}

function preview(stand: Stand, propertyId: string, body: Record<string, unknown>) {
  const hotel = soldHotel(stand, propertyId)
  if (hotel === undefined) return { propertyId, status: 'unavailable' }
  const { currency } = body
  const total = String(BigInt(hotel.nightlyMicro) * 2n)
  return {
    propertyId,
    status: 'priced',
    cheapestNightly: { amountMicro: hotel.nightlyMicro, currency },
    totalForStay: { amountMicro: total, currency },
    currencyDisplayPolicy: 'user-preferred',
    ...stand.previewExtra,
  }
}

function soldHotel({ hotels, unsold }: Stand, id: string | undefined) {
  return hotels.find(({ propertyId }) => propertyId === id && !unsold.has(propertyId))
}
