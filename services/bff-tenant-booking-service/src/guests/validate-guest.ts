import { type FieldError, fieldError, problem, toIsoDateTime } from '@melmastoon/domain'
import type { GuestDetails, GuestInput, GuestRules } from './guest-details.ts'
import { normalizeEmail } from './guest-email.ts'
import { isCountry, normalizePhone } from './guest-phone.ts'
import {
  asciiDigits,
  isLonger,
  type Normalized,
  normalizeLine,
  normalizeName,
  normalizeRequests,
  REQUESTS_MAX,
  withoutDirection,
} from './normalize-guest-text.ts'
import { requestsOf } from './reservation-guest.ts'

/** Details never repeat the value: they are personal data and may be logged by clients. */
const DETAILS: Readonly<Record<string, string>> = {
  required: 'is required',
  too_long: 'is too long',
  characters: 'contains characters that are not allowed',
  direction_control: 'contains invisible characters that change the direction of text',
  no_letter: 'must contain a letter',
  email: 'must be an e-mail address',
  email_domain: 'the part after @ must be an internet domain',
  phone: 'must be a valid phone number of its country',
  phone_extension: 'must not have an extension',
  phone_charged: 'must not be a number with extra charges',
  country: 'must be an ISO 3166 country code',
  time: 'must be a time of day, HH:MM',
  terms: 'the terms must be accepted',
}

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/

/**
 * @param pointer of the guest within the request body
 * @throws Problem DETAILS_INVALID with one error for each invalid field
 */
export function validateGuest(
  input: GuestInput,
  rules: GuestRules,
  pointer = '/guest',
): GuestDetails {
  const errors: FieldError[] = []
  const check = (field: keyof GuestInput, result: Normalized): string => {
    if ('value' in result) return result.value
    errors.push(fieldError(`${pointer}/${field}`, result.error, DETAILS[result.error] ?? ''))
    return ''
  }
  const details = {
    fullName: check('fullName', normalizeName(input.fullName)),
    email: check('email', normalizeEmail(input.email)),
    phone: check('phone', phoneOf(input, rules)),
    country: check('country', countryOf(input)),
    arrivalTime: check('arrivalTime', timeOf(input)),
    company: check('company', companyOf(input)),
    specialRequests: check('specialRequests', normalizeRequests(input.specialRequests ?? '')),
  }
  if (!input.termsAccepted) check('termsAccepted', { error: 'terms' })
  if (details.company !== '' && isLonger(requestsOf(details), REQUESTS_MAX)) {
    check('specialRequests', { error: 'too_long' })
  }
  if (errors.length > 0) throw problem('MELMASTOON.BFF.TENANT.DETAILS_INVALID', { errors })
  const { termsVersion, now } = rules
  const terms = { version: termsVersion, acceptedAt: toIsoDateTime(now) }
  return { fullName: details.fullName, email: details.email, ...given(details), terms }
}

/** An empty field of the form is an absent one. */
const ABSENT: Normalized = { value: '' }

/** Required, unless the hotel's booking flow lists it among the optional fields. */
function phoneOf(input: GuestInput, { flow, country }: GuestRules): Normalized {
  const result = normalizePhone(input.phone ?? '', input.phoneRegion ?? input.country ?? country)
  const isAbsent = 'error' in result && result.error === 'required'
  return isAbsent && flow.optionalFields.includes('phone') ? ABSENT : result
}

function countryOf({ country = '' }: GuestInput): Normalized {
  return country === '' || isCountry(country) ? { value: country } : { error: 'country' }
}

function timeOf({ arrivalTime = '' }: GuestInput): Normalized {
  const time = asciiDigits(withoutDirection(arrivalTime))
  return time === '' || TIME.test(time) ? { value: time } : { error: 'time' }
}

function companyOf({ company = '' }: GuestInput): Normalized {
  const result = normalizeLine(company)
  return 'error' in result && result.error === 'required' ? ABSENT : result
}

type Optional = 'phone' | 'country' | 'arrivalTime' | 'company' | 'specialRequests'

function given(details: Readonly<Record<Optional, string>>): Partial<Record<Optional, string>> {
  const { phone, country, arrivalTime, company, specialRequests } = details
  return {
    ...(phone !== '' && { phone }),
    ...(country !== '' && { country }),
    ...(arrivalTime !== '' && { arrivalTime }),
    ...(company !== '' && { company }),
    ...(specialRequests !== '' && { specialRequests }),
  }
}
