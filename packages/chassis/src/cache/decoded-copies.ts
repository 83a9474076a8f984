export interface BytesOwner {
  onCopy(): void
}

/** The cache entry that bytes belong to. */
const owners = new WeakMap<Buffer, BytesOwner>()
/** The size of all copies that were made of some bytes. */
const copyBytes = new WeakMap<Buffer, number>()

/** Objects parsed from JSON take about three times its length. */
const PARSED_RATIO = 3

/**
 * Decodes bytes once, however often they are used. The copy lives as long as the bytes, so that it
 * counts towards the size of their cache entry.
 * @param ratio of the size of a copy to that of the bytes; by default that of parsed JSON.
 */
export function memoizeDecoded<T extends object | string>(
  decode: (bytes: Buffer) => T,
  ratio = PARSED_RATIO,
): (bytes: Buffer) => T {
  const copies = new WeakMap<Buffer, T>()
  return (bytes) => {
    const known = copies.get(bytes)
    if (known !== undefined) return known
    const copy = decode(bytes)
    copies.set(bytes, copy)
    copyBytes.set(bytes, copyBytesOf(bytes) + ratio * bytes.length)
    owners.get(bytes)?.onCopy()
    return copy
  }
}

export function setOwner(bytes: Buffer, owner: BytesOwner): void {
  owners.set(bytes, owner)
}

export function copyBytesOf(bytes: Buffer): number {
  return copyBytes.get(bytes) ?? 0
}
