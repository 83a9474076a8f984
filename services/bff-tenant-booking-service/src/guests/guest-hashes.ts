import type { KeyedHash } from '@melmastoon/security'
import type { GuestDetails } from './guest-details.ts'

export interface GuestHashes {
  readonly emailHash: string
  readonly phoneHash: string | null
  readonly nameInitialsHash: string
}

/**
 * The only form in which details of a guest are in events and analytics (D13). The kind of value is
 * part of what is hashed, so that hashes of different kinds cannot be compared.
 */
export function guestHashes(
  { hashes }: { readonly hashes: Pick<KeyedHash, 'hash'> },
  { email, phone, fullName }: GuestDetails,
): GuestHashes {
  return {
    emailHash: hashes.hash(`email:${email.toLowerCase()}`),
    phoneHash: phone === undefined ? null : hashes.hash(`phone:${phone}`),
    nameInitialsHash: hashes.hash(`initials:${initialsOf(fullName).join('').toUpperCase()}`),
  }
}

/** The first letter of each part, with its marks. */
export function initialsOf(fullName: string): string[] {
  return fullName.split(' ').flatMap((part) => /\p{L}\p{M}*/u.exec(part)?.slice(0, 1) ?? [])
}
