/** Both halves of an ES256 signature (RFC 7518 §3.4). */
const HALF_BYTES = 32
const SEQUENCE = 0x30
const INTEGER = 0x02

/**
 * The JOSE form (r followed by s) as the DER form. `node:crypto` accepts the JOSE form only through
 * an options object, which makes verification about 50 % slower. Null unless the signature is
 * exactly 64 bytes.
 */
export function ecdsaToDer(signature: Buffer): Buffer | null {
  if (signature.length !== 2 * HALF_BYTES) return null
  const r = derInteger(signature.subarray(0, HALF_BYTES))
  const s = derInteger(signature.subarray(HALF_BYTES))
  return Buffer.concat([Buffer.of(SEQUENCE, r.length + s.length), r, s])
}

/** Shortest form: no leading zeros, but one where the top bit would make the number negative. */
function derInteger(half: Buffer): Buffer {
  let start = 0
  while (start < HALF_BYTES - 1 && half[start] === 0) start += 1
  const digits = half.subarray(start)
  const isNegative = ((digits[0] ?? 0) & 0x80) !== 0
  const header = isNegative ? [INTEGER, digits.length + 1, 0] : [INTEGER, digits.length]
  return Buffer.concat([Buffer.from(header), digits])
}
