import { randomInt } from 'node:crypto'

/** Without 0, 1, I and O, which are read as each other. */
const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ'
const LENGTH = 8

/** One of 10¹² per hotel; the table rejects a second one, and the caller's next try has another. */
export function newReservationCode(): string {
  return Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

/** The same for the same bits, for the demo world: 40 bits of a uuid's end. */
export function codeOfUuid(uuid: string): string {
  let bits = BigInt(`0x${uuid.replaceAll('-', '').slice(-10)}`)
  let code = ''
  for (let index = 0; index < LENGTH; index += 1) {
    code += LETTERS[Number(bits & 31n)]
    bits >>= 5n
  }
  return code
}
