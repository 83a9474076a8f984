import { type ClientInfo, captureCampaign } from '@melmastoon/bff/guests'
import { type Id, idTimeMs, toIsoDateTime } from '@melmastoon/domain'
import type { MarketingAttribution } from '@melmastoon/events'
import type { Site } from '../site/site.ts'
import type { BookingSessionData } from './booking-session.ts'
import type { ClientHashes } from './client-hashes.ts'
import type { DeviceClass } from './device-class.ts'
import { chooseLocale } from './site-preferences.ts'

export interface NewGuest {
  readonly site: Site
  readonly client: ClientInfo
  readonly deviceClass: DeviceClass
}

export interface NewSessionSettings {
  readonly clientHashes: ClientHashes
  readonly config: { readonly telemetryConsent: 'opt-out' | 'opt-in' }
}

/**
 * What applies until the guest decides, except under DNT or GPC. A tenant can require consent where
 * the deployment does not, and not the reverse (D34).
 */
function isTelemetryDefault(
  { telemetryConsent }: Pick<Site, 'telemetryConsent'>,
  { config }: Pick<NewSessionSettings, 'config'>,
): boolean {
  return telemetryConsent !== 'opt-in' && config.telemetryConsent === 'opt-out'
}

/**
 * The data of a session for which nothing is stored: derived from the request (D25). `X-Currency`
 * and a campaign apply to one request, so they are not part of it.
 */
export function derivedBookingSession(
  id: Id<'tnt_session'>,
  guest: NewGuest,
  settings: NewSessionSettings,
): BookingSessionData {
  const created = newBookingSession(guest, settings, new Date(idTimeMs(id)))
  return { ...created, marketingAttribution: null }
}

export function newBookingSession(
  { site, client, deviceClass }: NewGuest,
  settings: NewSessionSettings,
  now: Date,
): BookingSessionData {
  const at = toIsoDateTime(now)
  const { clientHashes: hashes } = settings
  const { acceptLanguage, userAgent } = client
  return {
    tenantId: site.tenantId,
    createdAt: at,
    lastSeenAt: at,
    localePreference: chooseLocale(site, {
      explicit: undefined,
      preferred: undefined,
      acceptLanguage,
    }),
    displayCurrency: site.primaryCurrency,
    marketingAttribution: campaignOf(client, now),
    loyaltyContext: null,
    activeBookingDraftId: null,
    // By default as configured; never under DNT or GPC; otherwise as requested (D13, D34).
    consentFlags: {
      telemetry: !client.declinesTelemetry && isTelemetryDefault(site, settings),
      functional: true,
    },
    fingerprintHash: hashes.hash(JSON.stringify([userAgent, acceptLanguage ?? null])),
    ipHash: hashes.hashAddress(client.address),
    deviceClass,
  }
}

/**
 * Whether a new session has content that later requests would not contain (P18): then it is stored.
 * Declining telemetry applies to the whole session, also if a later request lacks the header.
 */
export function hasContent(
  site: Site,
  settings: Pick<NewSessionSettings, 'config'>,
  { marketingAttribution, consentFlags }: BookingSessionData,
): boolean {
  const isDefault = consentFlags.telemetry === isTelemetryDefault(site, settings)
  return marketingAttribution !== null || !isDefault
}

/** As it is published; when it was captured is the start of the session. */
function campaignOf({ campaign }: ClientInfo, now: Date): MarketingAttribution | null {
  const captured = captureCampaign(campaign, now)
  if (captured === undefined) return null
  const { capturedAt: _start, ...names } = captured
  return names
}
