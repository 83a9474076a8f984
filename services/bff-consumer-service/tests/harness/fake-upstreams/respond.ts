import { offersOf, stayCalendarOf } from './offer-responses.ts'
import { placeResponse } from './place-responses.ts'
import { calendar, previews } from './pricing-responses.ts'
import { propertyDetail } from './property-responses.ts'
import { listById, readHotel, search } from './search-responses.ts'
import { tenantOf } from './tenant-responses.ts'
import type { Mode, Name, UpstreamRequest, UpstreamResponse, UpstreamState } from './types.ts'

export function respond(
  mode: Mode,
  state: UpstreamState,
  request: UpstreamRequest,
): UpstreamResponse {
  if (mode === 'down') return { status: 503, body: { code: 'DOWN' } }
  if (mode === 'rejecting') return { status: 403, body: { code: 'MELMASTOON.GENERAL.FORBIDDEN' } }
  if (mode === 'invalid') return { status: 200, body: invalidResponse(request.upstream) }
  const places = request.upstream === 'search' ? placeResponse(state, request) : undefined
  if (places !== undefined) return places
  if (request.path.endsWith('/offers')) return offersOf(state, request)
  if (request.path.startsWith('api/v1/search/hotels/')) {
    return request.path.endsWith('/calendar')
      ? stayCalendarOf(state, request)
      : readHotel(state, request)
  }
  if (request.path.endsWith('/search/listings'))
    return { status: 200, body: listById(state, request) }
  if (request.path.endsWith('/search/clicks')) return { status: 200, body: { accepted: true } }
  if (request.body['cursor'] === 'broken') {
    return { status: 400, body: { code: 'MELMASTOON.SEARCH.CURSOR_INVALID' } }
  }
  const body = RESPONSES[request.upstream](state, request)
  const isUnknown = Object.keys(body).length === 0
  return isUnknown
    ? { status: 404, body: { code: NOT_FOUND[request.upstream] } }
    : { status: 200, body }
}

const NOT_FOUND: Record<string, string> = {
  property: 'MELMASTOON.PROPERTY.NOT_FOUND',
  pricing: 'MELMASTOON.PROPERTY.NOT_FOUND',
  tenant: 'MELMASTOON.TENANT.NOT_FOUND',
}

function invalidResponse(upstream: Name): unknown {
  if (upstream === 'pricing') return { previews: [{ propertyId: 'cheap', status: 'priced' }] }
  return upstream === 'theme' ? { peeks: 'none' } : { total: 'many', items: [] }
}

const RESPONSES: Record<Name, (state: UpstreamState, request: UpstreamRequest) => object> = {
  property: (state, { path }) => propertyDetail(state, path.split('/').at(-1) ?? ''),
  tenant: (state, { path }) => tenantOf(state, path.split('/').at(-1) ?? ''),
  search,
  pricing: (state, request) =>
    request.path.includes('/calendar') ? calendar(state, request) : previews(state, request),
  theme: (_stand, { body }) => ({
    peeks: (body['tenantIds'] as string[]).map((tenantId) => ({
      tenantId,
      primaryColor: '#005f56',
      logoUrl: `https://logos.example/${tenantId}.svg`,
      brandName: { default: 'House of guests', localized: { 'fa-AF': 'مهمان‌سرا' } },
      version: 3,
      secret: 'must not get through',
    })),
  }),
}
