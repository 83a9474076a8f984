import { type App, idempotentWrite, type SchemaRequest } from '@melmastoon/chassis/http'
import { fieldError, throwIfInvalid } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { DraftVM } from '../../bookings/draft-view.ts'
import { saveDetails } from '../../bookings/save-details.ts'
import { readTheme } from '../../bootstrap/theme.ts'
import type { BookingContext } from '../../context.ts'
import { GuestInput } from '../../guests/guest-details.ts'
import { readProperty } from '../../properties/read-property.ts'
import { bookingActor, bookingMutation } from '../request-guest.ts'
import { DRAFT_HEADERS, DraftParams } from './get-draft.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 3_000

const DetailsBody = named(
  'DetailsRequest',
  Type.Object({
    version: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Of the booking; instead of `If-Match`' }),
    ),
    guest: GuestInput,
  }),
)

const schema = {
  params: DraftParams,
  body: DetailsBody,
  response: { 200: DraftVM },
}
type SaveDetailsRequest = SchemaRequest<typeof schema>

/** Details of the guest, validated and encrypted (T7). */
export function saveDetailsRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.draft.save-details',
    deadlineMs: DEADLINE_MS,
    responseHeaders: DRAFT_HEADERS,
    documentedHeaders: {
      'if-match': { type: 'string', description: 'The `ETag` of the booking, or `version`.' },
    },
    problems: [
      'MELMASTOON.BFF.TENANT.DETAILS_INVALID',
      'MELMASTOON.BFF.TENANT.DRAFT_NOT_FOUND',
      'MELMASTOON.BFF.TENANT.DRAFT_ENDED',
      'MELMASTOON.BFF.TENANT.DRAFT_ILLEGAL_TRANSITION',
      'MELMASTOON.BFF.TENANT.DRAFT_VERSION_CONFLICT',
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ],
  } as const
  const options = bookingMutation<SaveDetailsRequest>({ ctx, session, withoutStore: true })
  const save = idempotentWrite(
    { ...options, significantHeaders: ['x-currency', 'if-match'] },
    (request, { deadline }) => {
      const guest = session.requireSessionWithoutStore(request)
      const actor = bookingActor(ctx, request, guest)
      const { site, trace } = actor
      return saveDetails(ctx, {
        tenantId: site.tenantId,
        sessionId: guest.id,
        draftId: request.params.draftId,
        deadline,
        cause: actor.cause,
        version: versionOf(request),
        input: request.body.guest,
        rules: async ({ tenantId, terms }) => {
          const [theme, country] = await Promise.all([
            readTheme(ctx, tenantId, { deadline, trace }),
            // Without it, phone numbers need their country code.
            readProperty(ctx, { tenantId, propertyId: terms.propertyId }, { deadline, trace }).then(
              ({ property }) => property.address.country,
              () => '',
            ),
          ])
          return { flow: theme.read().flow, country, termsVersion: site.configVersion }
        },
      })
    },
  )
  app.patch('/draft/:draftId', { config, schema }, save)
}

const ETAG = /^(?:W\/)?"(\d{1,9})"$/

function versionOf({ body, headers }: SaveDetailsRequest): number {
  const [, tagged] = ETAG.exec(headers['if-match'] ?? '') ?? []
  const version = body.version ?? (tagged === undefined ? undefined : Number(tagged))
  if (version === undefined) {
    throwIfInvalid([fieldError('/version', 'required', 'is required, here or as If-Match')])
  }
  return version ?? 0
}
