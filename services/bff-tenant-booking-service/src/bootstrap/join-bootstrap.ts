import { randomFillSync } from 'node:crypto'
import type { ResponsePart } from './bootstrap.ts'

const COMMA = 0x2c

/**
 * The bytes of one response: both are JSON objects with members, and the shared one is neither
 * parsed nor serialised again.
 */
export function joinBootstrap(shared: Buffer, part: ResponsePart): Buffer {
  const text = JSON.stringify(part)
  const end = shared.length - 1
  const joined = Buffer.allocUnsafe(end + Buffer.byteLength(text))
  shared.copy(joined, 0, 0, end)
  joined.write(text, end)
  // Instead of the brace that opens the part.
  joined[end] = COMMA
  return joined
}

const NONCE_BYTES = 16
/** The system generator is called once per 64 nonces. */
const pool = Buffer.alloc(64 * NONCE_BYTES)
let position = pool.length

/** For one page load; never the same again. */
export function newNonce(): string {
  if (position === pool.length) {
    randomFillSync(pool)
    position = 0
  }
  const start = position
  position += NONCE_BYTES
  return pool.toString('base64url', start, position)
}
