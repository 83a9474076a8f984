import type { OpenApiOptions, OperationNotes } from '@melmastoon/chassis/http'

const description = `Anonymous search over every hotel of the platform.

- **Session.** \`POST /session\` sets the cookie \`__Host-gms_id\`; a first search does so as well. Without it
  lists are empty, and whatever changes something is 401.
- **Language and currency** are those of the request (\`locale\`, \`currency\`), else \`X-Currency\`, else those of the
  session, else \`Accept-Language\`. Amounts are whole minor units.
- **Idempotency-Key.** Where it is required, a repetition with the same key and body gets the first answer again,
  marked \`Idempotent-Replayed: true\`; another body is 422.
- **Freshness.** \`sections\` says what became of each part: fresh, stale or missing; \`degraded\` that one is not fresh.
  \`X-Cache\` and \`Age\` say whether the answer was kept. \`X-Search-Session\` names a search to telemetry.
- **Limits.** \`RateLimit\` and \`RateLimit-Policy\` tell of the limit that is nearest; beyond it 429 and \`Retry-After\`.
- **Challenge.** 429 \`MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT\` contains a \`challenge\`: solve it for its \`action\` and repeat
  the request with the token in \`X-Recaptcha-Token\`. If its provider is \`local\`, \`POST /challenge/local\` returns the
  token.
- **Problems** are RFC 9457 with a stable \`code\`; \`errors[].pointer\` leads into the body, or begins with \`/query\`,
  \`/params\` or \`/headers\`.
- **Campaigns.** \`X-Campaign-Source\`, \`-Medium\` and \`-Name\` of the request that begins a session go along with its
  bookings. \`DNT: 1\` and \`Sec-GPC: 1\` count as no consent to telemetry.
`

const note = (tag: string, summary: string, text?: string): OperationNotes => ({
  summary,
  tags: [tag],
  ...(text !== undefined && { description: text }),
})

const operations = {
  'consumer.session.start': note('session', 'Begins a session, or goes on with the one there is'),
  'consumer.session.read': note('session', 'What is kept of this guest; 401 without a session'),
  'consumer.session.clear': note('session', 'Forgets the guest, and all she kept'),
  'consumer.locale.set': note('session', 'Her language from now on'),
  'consumer.currency.set': note('session', 'Her currency from now on'),
  'consumer.consent.set': note('session', 'What she agrees to; what is not named stays'),
  'consumer.search.list': note(
    'search',
    'Hotels of an area for a stay, with prices',
    'One mode of area, with its member alone. Without a session it begins one.',
  ),
  'consumer.search.map': note(
    'search',
    'Pins of a bounding box; the one that is pointed at has a price',
    'Other modes than bounding-box are 422 `MELMASTOON.SEARCH.AREA_INVALID`.',
  ),
  'consumer.suggestion.list': note(
    'search',
    'Places and hotels whose names begin like this',
    '`geoQuery` is the `geo` of a search.',
  ),
  'consumer.facet.list': note('search', 'What there is to filter by, over all hotels'),
  'consumer.hotel.get': note(
    'hotels',
    'A hotel, for anybody to keep',
    'Prices are marked as stale, since the page may be kept; the price route has fresh ones. Without a stay: one ' +
      'night from tomorrow.',
  ),
  'consumer.hotel.price': note('hotels', 'What a stay costs now, and a calendar of nights'),
  'consumer.availability.read': note('hotels', 'Rooms left per night'),
  'consumer.comparison.read': note('hotels', 'Up to three hotels side by side'),
  'consumer.wishlist.list': note('lists', 'Her wishes; with a stay, with prices'),
  'consumer.wishlist.add': note(
    'lists',
    'Wishes for a hotel',
    '201 when it is new, 200 when she had it already; a hundred at most.',
  ),
  'consumer.wishlist.remove': note('lists', 'Takes a wish back; 204 also when there was none'),
  'consumer.recently_viewed.list': note(
    'lists',
    'Hotels she looked at, the newest first',
    'Filled by hotel pages that are asked for with the cookie, and by page views of them.',
  ),
  'consumer.handoff.mint': note(
    'booking',
    'A link to book at the hotel’s own site, good once and for thirty minutes',
    'Repeated with its key it is the same link. 403 where the hotel takes no bookings now.',
  ),
  'consumer.page_view.record': note('telemetry', 'She saw a page'),
  'consumer.funnel_step.record': note('telemetry', 'She scrolled, or opened the map'),
  'consumer.challenge.issue': note('challenge', 'Issue a token for a local challenge'),
} as const satisfies Record<string, OperationNotes>

/** All that `/docs` says in words; the rest is in the schemas of the routes. */
export const apiDescription: OpenApiOptions = {
  title: 'Melmastoon for travellers',
  version: '1.0.0',
  description,
  operations,
}

/** Read by the hook of guarded routes, before the body is validated. */
export const challengeHeaders = {
  'x-recaptcha-token': {
    type: 'string',
    description:
      'The token of a solved challenge, when a request is repeated after 429 SUSPECTED_BOT.',
  },
} as const
