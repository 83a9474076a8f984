import { createHmac } from 'node:crypto'
import { equalText } from '@melmastoon/security'

/** RFC 6238 §4: the defaults that authenticator applications support. */
const TOTP_STEP_SECONDS = 30
const DIGITS = 6
/** RFC 6238 §5.2: one step of delay, and one for a clock that is ahead. */
const STEPS_TOLERATED = 1

const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export interface TotpAttempt {
  /** Base32. */
  readonly secret: string
  readonly code: string
  readonly now: Date
  /** The last accepted step: a code is accepted once, and no earlier code after it. */
  readonly lastStep: number
}

/** The step of a valid code, otherwise null. */
export function verifyTotp({ secret, code, now, lastStep }: TotpAttempt): number | null {
  const key = decodeBase32(secret)
  const current = Math.floor(now.getTime() / 1_000 / TOTP_STEP_SECONDS)
  for (let step = current - STEPS_TOLERATED; step <= current + STEPS_TOLERATED; step += 1) {
    if (step > lastStep && equalText(hotp(key, step, DIGITS), code)) return step
  }
  return null
}

/** RFC 4226 §5.3. */
export function hotp(key: Buffer, counter: number, digits: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const mac = createHmac('sha1', key).update(message).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** RFC 4648 §6, without padding. */
export function decodeBase32(text: string): Buffer {
  const bytes: number[] = []
  let bits = 0
  let value = 0
  for (const character of text) {
    const digit = BASE32.indexOf(character)
    if (digit < 0) throw new TypeError('not base32')
    value = ((value << 5) | digit) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((value >> bits) & 0xff)
  }
  return Buffer.from(bytes)
}
