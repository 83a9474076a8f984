import { getCountries, isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import { asciiDigits, type Normalized, withoutDirection } from './normalize-guest-text.ts'

const PHONE_MAX = 40
/** What `ReservationGuest` of the reservation service accepts. */
const E164 = /^\+[1-9]\d{5,14}$/
/** Calling or texting these costs the hotel money. */
const CHARGED: ReadonlySet<string | undefined> = new Set(['PREMIUM_RATE', 'SHARED_COST'])
/** ISO 3166 countries without a calling code of their own. */
const WITHOUT_CALLING_CODE = ['AQ', 'BV', 'GS', 'HM', 'PN', 'TF', 'UM']
const COUNTRIES: ReadonlySet<string> = new Set([...getCountries(), ...WITHOUT_CALLING_CODE])

export function isCountry(code: string): boolean {
  return COUNTRIES.has(code)
}

/** @param region ISO 3166; numbers without a country code belong to it */
export function normalizePhone(text: string, region: string): Normalized {
  const typed = asciiDigits(withoutDirection(text))
  if (typed === '') return { error: 'required' }
  if (typed.length > PHONE_MAX) return { error: 'too_long' }
  const options = isSupportedCountry(region) ? { defaultCountry: region } : {}
  const phone = parsePhoneNumberFromString(typed, { ...options, extract: false })
  if (phone === undefined || !phone.isValid() || !E164.test(phone.number)) return { error: 'phone' }
  if (phone.ext !== undefined) return { error: 'phone_extension' }
  return CHARGED.has(phone.getType()) ? { error: 'phone_charged' } : { value: phone.number }
}
