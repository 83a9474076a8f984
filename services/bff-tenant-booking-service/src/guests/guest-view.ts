import { type Static, Type } from 'typebox'
import { GuestDetails } from './guest-details.ts'
import { initialsOf } from './guest-hashes.ts'

/** Details of the guest in a response. */
export const GuestView = Type.Object(
  {
    isMasked: Type.Boolean({
      description: 'False only for the session that entered the details: all others see a part',
    }),
    ...Type.Omit(GuestDetails, ['terms']).properties,
  },
  { title: 'GuestView' },
)

export type GuestView = Static<typeof GuestView>

/** For the guest's own session only. */
export function ownGuestView({ terms: _unshown, ...guest }: GuestDetails): GuestView {
  return { isMasked: false, ...guest }
}

/** Enough to recognise one's own booking, too little to contact or identify somebody. */
export function maskedGuestView({ fullName, email, phone }: GuestDetails): GuestView {
  return {
    isMasked: true,
    fullName: initialsOf(fullName)
      .map((initial) => `${initial}.`)
      .join(' '),
    email: maskEmail(email),
    ...(phone !== undefined && { phone: maskPhone(phone) }),
  }
}

const MASK = '•••'

function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const topLevel = email.slice(email.lastIndexOf('.'))
  return `${email.slice(0, 1)}${MASK}@${email.slice(at + 1, at + 2)}${MASK}${topLevel}`
}

/** The country code may have one to three digits: two characters never show a part of more. */
function maskPhone(phone: string): string {
  return `${phone.slice(0, 2)}${MASK}${phone.slice(-2)}`
}
