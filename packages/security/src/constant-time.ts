import { timingSafeEqual } from 'node:crypto'

/** `timingSafeEqual` throws on unequal lengths; a length is no secret here. */
export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b)
}

/** For digests and nonces in text form. */
export function equalText(a: string, b: string): boolean {
  return a.length === b.length && equalBytes(Buffer.from(a), Buffer.from(b))
}
