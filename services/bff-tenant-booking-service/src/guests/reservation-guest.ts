import type { ReservationGuest } from '@melmastoon/upstream-contracts/reservation'
import type { GuestDetails } from './guest-details.ts'

/** The details as the reservation service stores them. */
export function reservationGuest(guest: GuestDetails): ReservationGuest {
  const { fullName, email, phone, arrivalTime } = guest
  const specialRequests = requestsOf(guest)
  return {
    fullName,
    email,
    ...(phone !== undefined && { phone }),
    ...(arrivalTime !== undefined && { arrivalTime }),
    ...(specialRequests !== '' && { specialRequests }),
  }
}

/** The reservation service has no member for a company: staff read it below the requests. */
export function requestsOf({
  specialRequests = '',
  company = '',
}: Pick<GuestDetails, 'specialRequests' | 'company'>): string {
  const invoice = company === '' ? '' : `Company: ${company}`
  return [specialRequests, invoice].filter((part) => part !== '').join('\n')
}
