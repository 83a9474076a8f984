import { type CampaignAttribution, captureCampaign } from '@melmastoon/bff/guests'
import type { Preferences } from '@melmastoon/bff/preferences'
import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Mutation } from '@melmastoon/chassis/idempotency'
import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { newId, problem, validateOccupancy, validateStayDates } from '@melmastoon/domain'
import {
  HANDOFF_LIFETIME_MS,
  type HandoffCampaign,
  type HandoffFields,
  type HandoffOffer,
  type KeyRing,
  type MintedHandoff,
  mintHandoff,
} from '@melmastoon/security'
import { handoffInitiated } from '../events/handoff-events.ts'
import type { GuestActor } from '../sessions/guest-actor.ts'
import { guestPreferences } from '../sessions/guest-preferences.ts'
import { buildReport, type ReportDeps } from '../telemetry/report.ts'
import { asBudgetExceeded } from '../upstreams/create-upstreams.ts'
import { type ChooseOfferDeps, chooseOffer } from './choose-offer.ts'
import { type Destination, type DestinationDeps, findDestination } from './find-destination.ts'
import type { BookingHandoffVM, HandoffBody } from './handoff-fields.ts'
import { insertHandoff } from './handoff-sql.ts'

export interface MintDeps extends DestinationDeps, ChooseOfferDeps, ReportDeps {
  readonly upstreams: DestinationDeps['upstreams']
  readonly clock: Clock
  readonly config: { readonly bookingSiteUrl: string }
  readonly handoffKeys: KeyRing
  readonly measures: ReportDeps['measures'] &
    ChooseOfferDeps['measures'] & { readonly handoffMints: CounterMetric<'outcome'> }
}

export interface MintRequest extends Destination, GuestActor, UpstreamCall {
  readonly body: HandoffBody
}

/** The URL gives access to a booking: neither cached nor sent to the next site (D4). */
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

/**
 * Mints the signed link to the hotel's own site. Row, event and response are written in one
 * statement, so a retry receives the same link (C7).
 */
export async function mintBookingHandoff(deps: MintDeps, request: MintRequest): Promise<Mutation> {
  const now = deps.clock.now()
  checkStay(request.body, now)
  const preferences = guestPreferences.choose({
    body: request.body,
    client: request.client,
    stored: request.session.data,
  })
  const [destination, chosen] = await Promise.allSettled([
    findDestination(deps, request, request).catch(asBudgetExceeded),
    chooseOffer(deps, { ...request, currency: preferences.currency }, request),
  ])
  // Whether the hotel is visible is decided before anything is said about its rooms (D18).
  const { slug } = valueOf(destination)
  const fields = fieldsOf(request, { preferences, offer: valueOf(chosen), now })
  // The lifetime starts now, not before the upstream call.
  const minted = mintHandoff(fields, deps.handoffKeys, deps.clock.now())
  const fingerprintHash = request.session.data.cookieFingerprintHash
  const event = reportOf(deps, request, { fields, minted, preferences })
  const body = viewOf(fields, minted, siteOf(deps, slug))
  return {
    effect: insertHandoff({ ...fields, ...minted, fingerprintHash }),
    events: event === null ? [] : [event],
    response: { status: 201, body, headers: HEADERS },
    afterCommit: () => deps.measures.handoffMints.inc({ outcome: 'minted' }),
  }
}

function valueOf<T>(settled: PromiseSettledResult<T>): T {
  if (settled.status === 'rejected') throw settled.reason
  return settled.value
}

function checkStay({ dates, occupancy }: HandoffBody, now: Date): void {
  const errors = [
    ...validateStayDates(dates, now, '/dates'),
    ...validateOccupancy(occupancy, '/occupancy'),
  ]
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}

interface FieldSources {
  readonly preferences: Preferences
  readonly offer: HandoffOffer
  readonly now: Date
}

function fieldsOf(request: MintRequest, { preferences, offer, now }: FieldSources): HandoffFields {
  const { session, tenantId, propertyId, body } = request
  const { adults, children = 0, rooms = 1, childrenAges = [] } = body.occupancy
  return {
    id: newId('bhd'),
    guestSessionId: session.id,
    tenantId,
    propertyId,
    checkIn: body.dates.checkIn,
    checkOut: body.dates.checkOut,
    adults,
    children,
    rooms,
    ...preferences,
    childrenAges,
    campaign: campaignOf(session.data.campaignAttribution, now),
    offer,
  }
}

/**
 * Validated again although it was when it was captured: a name that may not be signed is left out
 * and does not prevent the booking.
 */
function campaignOf(known: CampaignAttribution | undefined, now: Date): HandoffCampaign {
  const given = { source: known?.source, medium: known?.medium, campaign: known?.campaign }
  const { source = '', medium = '', campaign: name = '' } = captureCampaign(given, now) ?? {}
  return { source, medium, name }
}

interface Signed {
  readonly fields: HandoffFields
  readonly minted: MintedHandoff
  readonly preferences: Preferences
}

function reportOf(deps: MintDeps, request: MintRequest, signed: Signed) {
  const { fields, minted, preferences } = signed
  return buildReport(deps, handoffInitiated, {
    ...request,
    payload: () => ({
      handoffId: fields.id,
      guestSessionId: fields.guestSessionId,
      tenantId: fields.tenantId,
      propertyId: fields.propertyId,
      checkIn: fields.checkIn,
      checkOut: fields.checkOut,
      adults: fields.adults,
      children: fields.children,
      rooms: fields.rooms,
      ...preferences,
      hmacKeyId: minted.keyId,
      mintedAt: minted.mintedAt,
      expiresAt: minted.expiresAt,
    }),
  })
}

function siteOf({ config }: MintDeps, slug: string): string {
  return config.bookingSiteUrl.replace('{slug}', slug)
}

function viewOf(fields: HandoffFields, minted: MintedHandoff, site: string): BookingHandoffVM {
  return {
    handoffId: fields.id,
    redirectUrl: `${site}?h=${minted.token}`,
    expiresAt: minted.expiresAt,
    ttlSeconds: HANDOFF_LIFETIME_MS / 1_000,
    offer: fields.offer as BookingHandoffVM['offer'],
  }
}
