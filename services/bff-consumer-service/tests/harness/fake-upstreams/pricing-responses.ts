import { addDays, type IsoDate } from '@melmastoon/domain'
import { priceOf, termsOf } from './offer-responses.ts'
import type { UpstreamRequest, UpstreamState } from './types.ts'

export function previews(state: UpstreamState, { body }: UpstreamRequest) {
  return {
    previews: (body['propertyIds'] as string[]).map((id) => preview(state, id, body)),
    capturedAt: state.capturedAt(),
    validUntil: state.capturedAt(),
  }
}

/** The second day is sold out; each day costs one unit more than the day before. */
export function calendar(state: UpstreamState, { path }: UpstreamRequest) {
  const { pathname, searchParams } = new URL(path, 'http://pricing.example')
  const propertyId = pathname.split('/').at(-2)
  const hotel = soldHotel(state, propertyId)
  if (hotel === undefined) return {}
  const from = searchParams.get('from') as IsoDate
  const currency = searchParams.get('currency')
  const days = Array.from({ length: Number(searchParams.get('nights')) }, (_, at) => {
    const amountMicro = String(BigInt(hotel.nightlyMicro) + BigInt(at) * 1_000_000n)
    const cheapest = { amountMicro, currency }
    return { date: addDays(from, at), ...(at !== 1 && { cheapest }) }
  })
  return { propertyId, days, capturedAt: state.capturedAt(), margin: 'must not get through' }
}

function preview(state: UpstreamState, propertyId: string, body: Record<string, unknown>) {
  const hotel = soldHotel(state, propertyId)
  if (hotel === undefined) return { propertyId, status: 'unavailable', reason: 'sold_out' }
  const { currency, cancellationFlexibility } = body
  const code = cancellationFlexibility === undefined ? 'NRF' : 'BAR'
  const price = priceOf(hotel, code, currency)
  const {
    cheapestNightly = price.cheapestNightly,
    totalForStay = price.total,
    ...extra
  } = state.previewExtra
  const { checkIn } = body['stay'] as { checkIn: IsoDate }
  const offer = {
    ...termsOf(code, checkIn),
    price: { ...price, cheapestNightly, total: totalForStay },
  }
  return {
    propertyId,
    status: 'priced',
    offer,
    cheapestNightly,
    totalForStay,
    currencyDisplayPolicy: 'user-preferred',
    ...extra,
  }
}

function soldHotel({ hotels, unsold }: UpstreamState, id: string | undefined) {
  return hotels.find(({ propertyId }) => propertyId === id && !unsold.has(propertyId))
}
