import type { OpenApiOptions, OperationNotes } from '@melmastoon/chassis/http'
import { COOKIE_NAME } from '../sessions/guest-session.ts'
import { STAY } from './examples/example-stay.ts'
import { EXAMPLES } from './examples/index.ts'
import { SCHEMAS } from './schemas/index.ts'

const description = `Anonymous search over every hotel of the platform.

- **Session.** \`POST /session\` sets the cookie \`__Host-gms_id\`; a first search does so as well. Without a session
  lists are empty, and requests that change something return 401.
- **Language and currency** are those of the request, else \`X-Currency\`, else those of the session, else
  \`Accept-Language\`. Every read takes \`locale\` and \`currency\`, also where the response has no texts or no
  prices; what the platform does not support is 422 everywhere. Only public documents (hotel pages, facets, locales, messages) ignore the session.
  Tags are matched by lookup (RFC 4647): \`en-US\` is \`en\`, \`fa\` and \`prs\` are \`fa-AF\`; \`GET /locales\` lists
  the locales and currencies. \`Content-Language\` is the language of a response. Amounts are integers in minor units.
- **Idempotency-Key.** Where it is required, a request with the same key and body returns the stored response with
  \`Idempotent-Replayed: true\`; the same key with another body returns 422.
- **Freshness.** \`sections\` has the status of each part: fresh, stale or missing; \`degraded\` is true when one is not
  fresh. \`isStale\` of a price is about its age for the guest, not about this response: on public hotel pages it is always
  true, because a cache may send them later; \`GET /hotels/{propertyId}/price\` has the current one. \`X-Cache\` and \`Age\` show whether the response was cached. \`X-Search-Session\` is the id of the search for telemetry.
- **Limits.** \`RateLimit\` and \`RateLimit-Policy\` describe the limit that is nearest; beyond it the response is 429 with
  \`Retry-After\`. New sessions are also limited per address and network.
- **Challenge.** 429 \`MELMASTOON.BFF.CONSUMER.SUSPECTED_BOT\` contains a \`challenge\`: solve it for its \`action\` and repeat
  the request with the token in \`X-Recaptcha-Token\`. If its provider is \`local\`, \`POST /challenge/local\` returns the
  token.
- **Problems** are RFC 9457 with a stable \`code\`; the text for the user is the message of \`userMessageKey\` in
  \`GET /messages/{locale}\`; \`errors[].pointer\` leads into the body, or begins with \`/query\`,
  \`/params\` or \`/headers\`.
- **Campaigns.** \`X-Campaign-Source\`, \`-Medium\` and \`-Name\` of the request that starts a session are passed on with
  its bookings.
- **Consent.** Telemetry is enabled by default except under \`DNT: 1\` or \`Sec-GPC: 1\`, and disabled on request
  (\`POST /session/consent\`). Where the law requires consent first, a deployment disables it by default.
`

const note = (tag: string, summary: string, text?: string): OperationNotes => ({
  summary,
  tags: [tag],
  ...(text !== undefined && { description: text }),
})

const operations = {
  'consumer.session.start': note('session', 'Start a session, or continue the current one'),
  'consumer.session.read': note('session', 'Get the session; 401 without one'),
  'consumer.session.clear': note('session', 'Delete the session and all of its data'),
  'consumer.locale.list': note(
    'session',
    'List the locales and currencies of the platform; public and cacheable',
  ),
  'consumer.message.list': note(
    'session',
    'Get the texts of all problems and labels in one language; public and cacheable',
    'By `userMessageKey`, and by the keys of labels, which the descriptions of enumerations name. Locales are matched ' +
      'by lookup: `en-US` is `en`, `fa` is `fa-AF`.',
  ),
  'consumer.locale.set': note('session', 'Set the preferred locale'),
  'consumer.currency.set': note('session', 'Set the preferred currency'),
  'consumer.consent.set': note('session', 'Set consent; omitted members are not changed'),
  'consumer.search.list': note(
    'search',
    'Search hotels of an area for a stay, with prices',
    'Exactly one mode of area, with its own member. Starts a session if there is none. Finds hotels with beds for the party ' +
      'and, in every night, at least as many rooms left of any type as requested. Hotels with fewer rooms left are ' +
      'dropped. Some of those found cannot be booked, for example because the rooms left are of different types: their ' +
      '`availability` has a reason. They are last in the orders `recommended`, `price-asc` and `price-desc`, and dropped ' +
      'by `availableOnly`, `priceRange` and `cancellationFlexibility` other than any. `bookableTotal` is the number of ' +
      'the others.',
  ),
  'consumer.search.map': note(
    'search',
    'Search pins of a bounding box; the focused one has a price',
    'Other modes than bounding-box are 422 `MELMASTOON.SEARCH.AREA_INVALID`.',
  ),
  'consumer.suggestion.list': note(
    'search',
    'Suggest places and hotels by the beginning of their names, in any spelling',
    'Without text: the most popular places. `geoQuery` and `filters` are those of a search; `count` is the number of ' +
      'listed hotels they select, or with `checkIn` and `checkOut` the total of that search. Names that contain the ' +
      'text come before names that only sound like it (`match`).',
  ),
  'consumer.facet.list': note('search', 'List the available filters over all hotels'),
  'consumer.hotel.get': note(
    'hotels',
    'Get a hotel; the response is public and cacheable',
    'Prices are marked as stale, because the response may be cached; the price route returns current ones. Without a ' +
      'stay: one night from tomorrow.',
  ),
  'consumer.hotel.price': note(
    'hotels',
    'Get the current price of a stay, and a calendar of nights',
  ),
  'consumer.hotel.offers': note(
    'hotels',
    'List all rooms and rate plans of a hotel for a stay, priced or with the reason why not',
    'With payment methods and detailed policies. Without a stay: one night from tomorrow.',
  ),
  'consumer.hotel.calendar': note(
    'hotels',
    'List the cheapest stay per day of arrival, for up to 92 days',
    'Each price is that of the shortest stay that can be booked from that day on, for the whole party.',
  ),
  'consumer.availability.read': note('hotels', 'Get the available rooms per night'),
  'consumer.comparison.read': note('hotels', 'Compare up to three hotels'),
  'consumer.wishlist.list': note('lists', 'List the wishlist; with a stay, with prices'),
  'consumer.wishlist.add': note(
    'lists',
    'Add a hotel to the wishlist',
    '201 for a new entry, 200 for an existing one; at most 100 entries.',
  ),
  'consumer.wishlist.remove': note(
    'lists',
    'Remove a hotel from the wishlist; 204 also when it was not listed',
  ),
  'consumer.recently_viewed.list': note(
    'lists',
    'List recently viewed hotels, newest first',
    'Filled by requests for hotel pages with the cookie, and by page-view beacons.',
  ),
  'consumer.handoff.mint': note(
    'booking',
    'Create a link to book at the hotel’s own site, valid once and for thirty minutes',
    'A request with the same idempotency key returns the same link. 403 when the tenant is suspended.',
  ),
  'consumer.page_view.record': note('telemetry', 'Record a page view'),
  'consumer.funnel_step.record': note(
    'telemetry',
    'Record a step of the funnel: scrolling, or opening the map',
  ),
  'consumer.challenge.issue': note('challenge', 'Issue a token for a local challenge'),
} as const satisfies Record<string, OperationNotes>

function withExamples(): Record<string, OperationNotes> {
  return Object.fromEntries(
    Object.entries(operations).map(([operation, notes]) => {
      const examples = EXAMPLES[operation]
      return [operation, examples === undefined ? notes : { ...notes, examples }]
    }),
  )
}

/** All that `/docs` says in words; the rest is in the schemas of the routes. */
export const apiDescription: OpenApiOptions = {
  title: 'Melmastoon for travellers',
  version: '1.0.0',
  description,
  operations: withExamples(),
  schemas: SCHEMAS,
  exampleArrival: STAY.checkIn,
  sessionCookie: {
    name: COOKIE_NAME,
    description: 'Set by `POST /session`, or by a first search; renewed once a day.',
  },
}

/** Read by the hook of guarded routes, before the body is validated. */
export const challengeHeaders = {
  'x-recaptcha-token': {
    type: 'string',
    description:
      'The token of a solved challenge, when a request is repeated after 429 SUSPECTED_BOT.',
  },
} as const
