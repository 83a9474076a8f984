import { monotonicFactory } from 'ulid'

/** The system generator is called once per 64 ULIDs (16 random characters each). */
const POOL_BYTES = 16 * 64

/**
 * A generator of ULIDs that sort in creation order, also within a millisecond and when the clock
 * goes back. An explicit time replaces the clock.
 */
export function createUlidSource(): (timeMs?: number) => string {
  return monotonicFactory(pooledRandom())
}

/**
 * Cryptographic random fractions for the library, which draws one per character. One byte per
 * fraction is exact: a character has 32 values, and 256 is a multiple of 32.
 */
function pooledRandom(): () => number {
  const pool = new Uint8Array(POOL_BYTES)
  let position = POOL_BYTES
  return () => {
    if (position === POOL_BYTES) {
      crypto.getRandomValues(pool)
      position = 0
    }
    const byte = pool[position] ?? 0
    position += 1
    return byte / 256
  }
}
