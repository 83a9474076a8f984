import { type Static, Type } from 'typebox'
import { type GuestSessionData, GuestSessionVM } from './guest-session.ts'

const { localePreference, currencyPreference, flags } = GuestSessionVM.properties

/**
 * What a guest has chosen. Answers to her choices are kept for replay and outlive her session, so
 * that they hold nothing of what she looked at.
 */
export const SessionPreferencesVM = Type.Object({ localePreference, currencyPreference, flags })

export type SessionPreferencesVM = Static<typeof SessionPreferencesVM>

export function preferencesOf(data: GuestSessionData): SessionPreferencesVM {
  const { localePreference: locale, currencyPreference: currency, flags: consents } = data
  return { localePreference: locale, currencyPreference: currency, flags: consents }
}
