export const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** Two characters at a time: half as many steps. */
const PAIRS = Array.from(
  { length: 1_024 },
  (_, value) => `${CROCKFORD[value >> 5]}${CROCKFORD[value & 31]}`,
)

/** Of the eighty random bits, fifty stay the same within a millisecond and thirty count up. */
const FIXED_BYTES = 10
const RANDOM_BYTES = FIXED_BYTES + 4
/** The count begins in its lower half, so that no millisecond is long enough to use it up. */
const FIRST_COUNT_MASK = 0x1fff_ffff
const POOL_BYTES = RANDOM_BYTES * 64

export interface UlidSourceOptions {
  readonly nowMs?: () => number
}

/**
 * ULIDs that sort in the order of their making, also within a millisecond and when the clock goes
 * back. Made for every request, so time and random bits are drawn once per millisecond, the latter
 * from a pool: one call into the system generator serves sixty-four of them.
 */
export function createUlidSource({ nowMs = Date.now }: UlidSourceOptions = {}): () => string {
  const pool = new Uint8Array(POOL_BYTES)
  const view = new DataView(pool.buffer)
  let position = POOL_BYTES
  let lastMs = -1
  let head = ''
  let count = 0

  function begin(ms: number): void {
    if (position === POOL_BYTES) {
      crypto.getRandomValues(pool)
      position = 0
    }
    head = encodeTime(ms)
    for (let at = position; at < position + FIXED_BYTES; at += 1) {
      head += CROCKFORD[(pool[at] ?? 0) & 31]
    }
    count = view.getUint32(position + FIXED_BYTES) & FIRST_COUNT_MASK
    position += RANDOM_BYTES
    lastMs = ms
  }

  return () => {
    const ms = nowMs()
    if (ms > lastMs) begin(ms)
    else count += 1
    return head + pair(count >> 20) + pair(count >> 10) + pair(count)
  }
}

function pair(value: number): string {
  return PAIRS[value & 1_023] ?? ''
}

/** 48 bits as ten characters, of which the first holds three. */
function encodeTime(ms: number): string {
  let text = ''
  let rest = ms
  for (let at = 0; at < 5; at += 1) {
    text = pair(rest % 1_024) + text
    rest = Math.floor(rest / 1_024)
  }
  return text
}
