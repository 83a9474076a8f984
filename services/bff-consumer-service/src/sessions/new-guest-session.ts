import { toIsoDateTime } from '@melmastoon/domain'
import type { KeyedHash } from '@melmastoon/security'
import { captureCampaign } from './capture-campaign.ts'
import type { Preferences } from './choose-preferences.ts'
import type { GuestSession } from './guest-session.ts'
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

export function newGuestSession(newcomer: Newcomer, hashes: KeyedHash, now: Date): GuestSession {
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
