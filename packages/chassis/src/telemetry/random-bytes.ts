import { randomFillSync } from 'node:crypto'

const POOL_BYTES = 8192
const pool = Buffer.allocUnsafe(POOL_BYTES)
let used = POOL_BYTES

/** Identifiers are taken from a pool of random bytes, which saves a system call for each. */
function take(bytes: number): number {
  if (used + bytes > POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  const start = used
  used += bytes
  return start
}

export function randomHex(bytes: number): string {
  const start = take(bytes)
  return pool.toString('hex', start, start + bytes)
}

/** Uniform in [0, 1). */
export function randomFraction(): number {
  return pool.readUInt32LE(take(4)) / 0x1_0000_0000
}
