import type { OpenApiOptions, OperationExamples, OperationNotes } from '@melmastoon/chassis/http'
import { EXAMPLES } from './examples/index.ts'
import { TENANT_SLUG } from './request-site.ts'

const description = `The booking site of one hotel.

- **Addresses.** Every operation is served at the hotel's own host, \`https://{slug}.melmastoon.ghasi.io/api/…\` or its own
  domain, and by path on the shared host, as listed here. Both are the same request: an idempotency key used at one is
  known at the other.
- **Session.** \`GET /bootstrap\` sets the cookie \`__Host-tnt_id\` (\`__Host-tnt_id-{slug}\` on the shared host). Requests that
  change something return 401 without a session.
- **Language and currency** are those of the session, within the hotel's own; \`X-Currency\` applies to one request.
  Amounts are integers in minor units.
- **Idempotency-Key.** Where it is required, a request with the same key and body returns the stored response with
  \`Idempotent-Replayed: true\`; the same key with another body returns 422. \`GET /idempotency/{key}\` tells whether a request
  arrived.
- **Version.** \`X-Bootstrap-Version\` of the bootstrap may be sent with every request: 410 means that the hotel has changed
  its settings so often since then that the site has to be loaded again.
- **Freshness.** \`sections\` has the status of each part: fresh, stale or missing; \`degraded\` is true when one is not fresh.
- **Limits.** \`RateLimit\` and \`RateLimit-Policy\` describe the limit that is nearest; beyond it the response is 429 with
  \`Retry-After\`.
- **Problems** are RFC 9457 with a stable \`code\`; each operation lists its codes by status. \`errors[].pointer\` leads into the
  body, or begins with \`/query\`, \`/params\` or \`/headers\`.
- **Consent.** Telemetry is enabled by default except under \`DNT: 1\` or \`Sec-GPC: 1\`, and disabled on request
  (\`POST /session/consent\`). Where the law requires consent first, a deployment disables it by default.
`

const note = (tag: string, summary: string, text?: string): OperationNotes => ({
  summary,
  tags: [tag],
  ...(text !== undefined && { description: text }),
})

const operations = {
  'booking.availability.read': note(
    'stay',
    'List the rooms of a hotel for a stay, with their rates',
    'A room without a price states the reason. Prices older than a minute are marked as stale.',
  ),
  'booking.quote.create': note(
    'stay',
    'Create a quote: a price with all its parts, which can be held until it expires',
    'The price is compared again before a payment: if it has changed, the guest is asked to accept the new one. Pricing is called once. With `shown`, the response compares the price with the one shown before.',
  ),
  'booking.hold.place': note(
    'booking',
    'Hold the rooms of a quote',
    'Creates a booking in progress. With `draftId` the rooms replace those of that booking, which keeps its guest details: after its hold has expired, or for another room.',
  ),
  'booking.hold.extend': note(
    'booking',
    'Extend a hold',
    'At most ten times. The response also compares the price with the present one.',
  ),
  'booking.price.accept': note(
    'booking',
    'Accept changed terms',
    'The hold takes the new price and keeps its rooms.',
  ),
  'booking.draft.get': note(
    'booking',
    'Get a booking in progress',
    'Any tab of the session that made it can resume it; for others it does not exist.',
  ),
  'booking.draft.save-details': note(
    'booking',
    'Save the details of the guest',
    'Requires the version of the booking, in the body or as `If-Match`.',
  ),
  'booking.confirmation.read': note(
    'confirmation',
    'Read the confirmation of a booking',
    'For the session that booked, or with the token of a signed link in `t` or `X-Confirmation-Token`. Without either the confirmation is not found.',
  ),
  'booking.confirmation.calendar': note(
    'confirmation',
    'Read the stay as an iCalendar file',
    'Needs the same proof as the confirmation.',
  ),
  'booking.bootstrap.get': note(
    'site',
    'Get everything that the site needs to start; starts a session',
    'Theme and hotels that cannot be read now are stale or missing, see `sections`. If the hotel has no payment method, ' +
      'the response is 409 with the rest in `bootstrap`.',
  ),
  'booking.handoff.consume': note(
    'site',
    'Consume the token of a booking link, to prefill the first page',
    'A link can be used once; the same session gets the same response again for two minutes.',
  ),
  'booking.locale.set': note('session', 'Set the preferred locale'),
  'booking.currency.set': note('session', 'Set the preferred currency'),
  'booking.consent.set': note('session', 'Set consent; omitted members are not changed'),
  'booking.key.read': note(
    'session',
    'List the requests of this session with an idempotency key',
    '404: no request with this key arrived.',
  ),
  'booking.message.list': note(
    'site',
    'Get the texts of all problems and labels in one language; public and cacheable',
    'By `userMessageKey`. Locales are matched by lookup: `en-US` is `en`, `fa` is `fa-AF`.',
  ),
  'booking.policy.list': note('site', 'List the policies of the hotel in one language'),
  'booking.payment.request': note(
    'payment',
    'Start a payment for the booking',
    'Card payments continue at `payment.nextAction.url`, in the language of the guest. Cash on arrival is only promised: confirm books the stay.',
  ),
  'booking.payment.return': note(
    'payment',
    'Continue after the page of the payment provider',
    'The payment itself is read; what the address of the return claims has no effect.',
  ),
  'booking.draft.confirm': note(
    'booking',
    'Confirm the stay with the payment that was made or promised',
    'Cash on arrival is booked by this request; a payment by card or mobile money is confirmed without it, too. 202: not decided yet; follow `actions`, and repeat the request to see the result.',
  ),
  'booking.draft.delete': note('booking', 'Give up a booking and release its rooms'),
  'booking.payment.webhook': note(
    'payment',
    'Receive a notification of the payment service',
    'Signed with `Melmastoon-Signature`; the tenant is taken from the signed body.',
  ),
} as const satisfies Record<keyof typeof EXAMPLES, OperationNotes>

/** Every example is of one booking at a hotel of the demo world. */
const SLUG = 'creek-pearl'

function withExamples(): Record<string, OperationNotes> {
  return Object.fromEntries(
    Object.entries<OperationExamples>(EXAMPLES).map(([operation, { parameters, ...examples }]) => [
      operation,
      {
        ...operations[operation as keyof typeof operations],
        examples: { ...examples, parameters: { [TENANT_SLUG]: SLUG, ...parameters } },
      },
    ]),
  )
}

/** All that `/docs` says in words; the rest is in the schemas of the routes. */
export const apiDescription: OpenApiOptions = {
  title: 'Melmastoon booking sites',
  version: '1.0.0',
  description,
  operations: withExamples(),
  sessionCookie: {
    name: '__Host-tnt_id',
    description: 'Set by `GET /bootstrap`; `__Host-tnt_id-{slug}` on the shared host.',
  },
}
