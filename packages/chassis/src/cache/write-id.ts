import { randomFillSync } from 'node:crypto'

const ID_BYTES = 6
const POOL_BYTES = 1_024 * ID_BYTES

const pool = Buffer.alloc(POOL_BYTES)
let used = POOL_BYTES

/** Eight random characters. One call for many of them: each call costs as much as a hash. */
export function newWriteId(): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool)
    used = 0
  }
  used += ID_BYTES
  return pool.toString('base64url', used - ID_BYTES, used)
}
