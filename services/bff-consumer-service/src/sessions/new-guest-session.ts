import { type GuestSessionId, idTimeMs, toIsoDateTime } from '@melmastoon/domain'
import type { KeyedHash } from '@melmastoon/security'
import { captureCampaign } from './capture-campaign.ts'
import { choosePreferences, type Preferences } from './choose-preferences.ts'
import type { GuestSessionData } from './guest-session.ts'
import type { Visit } from './visit.ts'

export interface Device {
  readonly screen?: string
  readonly timeZone?: string
}

export interface Consent {
  readonly telemetry?: boolean
  readonly marketing?: boolean
}

export interface Newcomer extends Preferences {
  readonly visit: Visit
  readonly device?: Device | undefined
  readonly consent?: Consent | undefined
}

/**
 * The data of a session for which nothing is stored: what its request tells (D25). `X-Currency`
 * applies to one request, so it is not part of it.
 */
export function derivedGuestSession(
  id: GuestSessionId,
  visit: Visit,
  hashes: KeyedHash,
): GuestSessionData {
  const { campaign: _first, ...told } = visit
  const words = { ...told, currency: undefined }
  const preferences = choosePreferences({ said: {}, visit: words, kept: undefined })
  const newcomer = { ...preferences, visit: { ...words, campaign: NO_CAMPAIGN } }
  return newGuestSession(newcomer, hashes, new Date(idTimeMs(id)))
}

const NO_CAMPAIGN = { source: undefined, medium: undefined, campaign: undefined }

export function newGuestSession(
  newcomer: Newcomer,
  hashes: KeyedHash,
  now: Date,
): GuestSessionData {
  const { visit, locale, currency, consent = {} } = newcomer
  const campaign = captureCampaign(visit.campaign, now)
  const at = toIsoDateTime(now)
  return {
    createdAt: at,
    lastSeenAt: at,
    localePreference: locale,
    currencyPreference: currency,
    cookieFingerprintHash: hashes.hash(fingerprintText(newcomer)),
    recentlyViewed: [],
    wishlistRefs: [],
    searchHistory: [],
    ...(campaign && { campaignAttribution: campaign }),
    flags: {
      consentTelemetry: !visit.declinesTelemetry && consent.telemetry !== false,
      consentMarketing: consent.marketing === true,
    },
  }
}

/** Domain model §2.1: user agent, languages, screen and time zone. */
function fingerprintText({ visit, device }: Newcomer): string {
  const parts = [visit.userAgent, visit.acceptLanguage, device?.screen, device?.timeZone]
  return JSON.stringify(parts.map((part) => part ?? null))
}
