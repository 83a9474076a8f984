import { randomBytes, type ScryptOptions, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import { equalBytes } from '@melmastoon/security'

const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt)
const KEY_BYTES = 32
/**
 * A few milliseconds. Passwords of real staff would need 2^17 (OWASP); these are public, and tests
 * sign in thousands of devices.
 */
const COST = 2 ** 12

/** `scrypt$cost$salt$hash` */
export async function hashPassword(password: string, salt = randomBytes(16)): Promise<string> {
  const key = await derive(password.normalize('NFC'), salt, KEY_BYTES, { N: COST })
  return `scrypt$${COST}$${salt.toString('base64url')}$${key.toString('base64url')}`
}

/** Of no password: an unknown user takes as long as a wrong password. */
const NO_HASH = `scrypt$${COST}$${'A'.repeat(22)}$${'A'.repeat(43)}`

export async function verifyPassword(
  password: string,
  stored: string | undefined,
): Promise<boolean> {
  const [, cost, salt = '', hash = ''] = (stored ?? NO_HASH).split('$')
  const expected = Buffer.from(hash, 'base64url')
  const options = { N: Number(cost) }
  const salted = Buffer.from(salt, 'base64url')
  const key = await derive(password.normalize('NFC'), salted, KEY_BYTES, options)
  return equalBytes(key, expected) && stored !== undefined
}
