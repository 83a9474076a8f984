import { type ClientInfo, captureCampaign } from '@melmastoon/bff/guests'
import type { Preferences } from '@melmastoon/bff/preferences'
import { type GuestSessionId, idTimeMs, toIsoDateTime } from '@melmastoon/domain'
import type { KeyedHash } from '@melmastoon/security'
import { guestPreferences } from './guest-preferences.ts'
import type { GuestSessionData } from './guest-session.ts'

export interface Device {
  readonly screen?: string
  readonly timeZone?: string
}

export interface Consent {
  readonly telemetry?: boolean
  readonly marketing?: boolean
}

export interface NewGuest extends Preferences {
  readonly client: ClientInfo
  readonly device?: Device | undefined
  readonly consent?: Consent | undefined
}

export interface NewSessionSettings {
  readonly hashes: KeyedHash
  readonly config: { readonly telemetryConsent: 'opt-out' | 'opt-in' }
}

/** What applies until the guest decides, except under DNT or GPC (D34). */
export function isTelemetryDefault({ config }: Pick<NewSessionSettings, 'config'>): boolean {
  return config.telemetryConsent === 'opt-out'
}

/**
 * The data of a session for which nothing is stored: derived from the request (D25). `X-Currency`
 * applies to one request, so it is not part of it.
 */
export function derivedGuestSession(
  id: GuestSessionId,
  { campaign: _ofThisRequest, ...info }: ClientInfo,
  settings: NewSessionSettings,
): GuestSessionData {
  const client = { ...info, currency: undefined, campaign: NO_CAMPAIGN }
  const preferences = guestPreferences.choose({ body: {}, client, stored: undefined })
  return newGuestSession({ ...preferences, client }, settings, new Date(idTimeMs(id)))
}

const NO_CAMPAIGN = { source: undefined, medium: undefined, campaign: undefined }

export function newGuestSession(
  guest: NewGuest,
  settings: NewSessionSettings,
  now: Date,
): GuestSessionData {
  const { client, locale, currency, consent = {} } = guest
  const campaign = captureCampaign(client.campaign, now)
  const at = toIsoDateTime(now)
  return {
    createdAt: at,
    lastSeenAt: at,
    localePreference: locale,
    currencyPreference: currency,
    cookieFingerprintHash: settings.hashes.hash(fingerprintText(guest)),
    recentlyViewed: [],
    wishlistRefs: [],
    searchHistory: [],
    ...(campaign && { campaignAttribution: campaign }),
    // By default as configured; never under DNT or GPC; otherwise as requested (D13, D34).
    flags: {
      consentTelemetry:
        !client.declinesTelemetry && (consent.telemetry ?? isTelemetryDefault(settings)),
      consentMarketing: consent.marketing === true,
    },
  }
}

/** Domain model §2.1: user agent, languages, screen and time zone. */
function fingerprintText({ client, device }: NewGuest): string {
  const parts = [client.userAgent, client.acceptLanguage, device?.screen, device?.timeZone]
  return JSON.stringify(parts.map((part) => part ?? null))
}
