import { answerPlaces } from './place-responses.ts'
import { calendar, previews } from './pricing-responses.ts'
import { propertyDetail } from './property-responses.ts'
import { listById, readHotel, search } from './search-responses.ts'
import { tenantOf } from './tenant-responses.ts'
import type { Answered, Asked, Mood, Name, Stand } from './types.ts'

export function answerIn(mood: Mood, stand: Stand, asked: Asked): Answered {
  if (mood === 'down') return { status: 503, body: { code: 'DOWN' } }
  if (mood === 'refusing') return { status: 403, body: { code: 'MELMASTOON.GENERAL.FORBIDDEN' } }
  if (mood === 'lying') return { status: 200, body: lieOf(asked.upstream) }
  const places = asked.upstream === 'search' ? answerPlaces(stand, asked) : undefined
  if (places !== undefined) return places
  if (asked.path.startsWith('api/v1/search/hotels/')) return readHotel(stand, asked)
  if (asked.path.endsWith('/search/listings')) return { status: 200, body: listById(stand, asked) }
  if (asked.path.endsWith('/search/clicks')) return { status: 200, body: { accepted: true } }
  if (asked.body['cursor'] === 'broken') {
    return { status: 400, body: { code: 'MELMASTOON.SEARCH.CURSOR_INVALID' } }
  }
  const body = ANSWERS[asked.upstream](stand, asked)
  const isUnknown = Object.keys(body).length === 0
  return isUnknown
    ? { status: 404, body: { code: NOT_FOUND[asked.upstream] } }
    : { status: 200, body }
}

const NOT_FOUND: Record<string, string> = {
  property: 'MELMASTOON.PROPERTY.NOT_FOUND',
  pricing: 'MELMASTOON.PROPERTY.NOT_FOUND',
  tenant: 'MELMASTOON.TENANT.NOT_FOUND',
}

function lieOf(upstream: Name): unknown {
  if (upstream === 'pricing') return { previews: [{ propertyId: 'cheap', status: 'priced' }] }
  return upstream === 'theme' ? { peeks: 'none' } : { total: 'many', items: [] }
}

const ANSWERS: Record<Name, (stand: Stand, asked: Asked) => object> = {
  property: (stand, { path }) => propertyDetail(stand, path.split('/').at(-1) ?? ''),
  tenant: (stand, { path }) => tenantOf(stand, path.split('/').at(-1) ?? ''),
  search,
  pricing: (stand, asked) =>
    asked.path.includes('/calendar') ? calendar(stand, asked) : previews(stand, asked),
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
