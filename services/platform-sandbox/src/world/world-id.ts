import { hash } from 'node:crypto'
import { type Id, type IdPrefix, parseId } from '@melmastoon/domain'

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** The time part of every id of the world: 1 January 2025. */
const TIME_PART = '01JGFJJZ00'

/**
 * The id of a seed and key is deterministic. The last five bits are zero, so that parts of an
 * object can be numbered within its id.
 */
export function worldId<P extends IdPrefix>(prefix: P, seed: string, key: string): Id<P> {
  const bytes = hash('sha256', `${seed}\n${prefix}\n${key}`, 'buffer')
  const text = base32(bytes.readUIntBE(0, 5)) + base32(bytes.readUIntBE(5, 5)).slice(0, 7)
  return parseId(prefix, `${prefix}_${TIME_PART}${text}0`)
}

/** Forty bits are eight characters. */
function base32(bits: number): string {
  const high = Math.floor(bits / 0x10_0000)
  const low = bits % 0x10_0000
  return fourCharacters(high) + fourCharacters(low)
}

function fourCharacters(bits: number): string {
  let text = ''
  for (let shift = 15; shift >= 0; shift -= 5) text += CROCKFORD[(bits >> shift) & 31]
  return text
}
