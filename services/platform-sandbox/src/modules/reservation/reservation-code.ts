import { randomInt } from 'node:crypto'

/** Without 0, 1, I and O, which are easily confused. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 8

/** One of 10¹² per hotel; the table rejects a duplicate, and the next attempt uses another code. */
export function newReservationCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** Deterministic, for the demo world: the last 40 bits of a UUID. */
export function codeOfUuid(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '').slice(-10)}`)
  let code = ''
  for (let index = 0; index < LENGTH; index += 1) {
    code += LETTERS[Number(bits & 31n)]
    bits >>= 5n
  }
  return code
}
