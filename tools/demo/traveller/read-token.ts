import { createHmac, timingSafeEqual } from 'node:crypto'

const MAC_CHARS = 43

/**
 * As docs/handoff-token.md has it, and with nothing of ours: what a stranger with the page and the
 * key can do. Null when it is not genuine.
 */
export function readToken(token: string, key: Buffer): string[] | null {
  const payload = Buffer.from(token.slice(0, -MAC_CHARS - 1), 'base64url')
  const mac = Buffer.from(token.slice(-MAC_CHARS), 'base64url')
  const expected = createHmac('sha256', key).update(payload).digest()
  if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return null
  return payload.toString('ascii').split('\n')
}
