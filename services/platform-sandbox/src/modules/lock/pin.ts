import { createHmac } from 'node:crypto'
import type { Id } from '@melmastoon/domain'

const DIGITS = 6

/** Always the same for a key, so that it is not stored. */
export function pinOf(pinKey: string, keyId: Id<'key'>): string {
  const bytes = createHmac('sha256', pinKey).update(keyId).digest()
  return String(bytes.readUIntBE(0, 6) % 10 ** DIGITS).padStart(DIGITS, '0')
}
