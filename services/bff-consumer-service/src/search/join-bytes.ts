/** One after the other, as UTF-8; pieces that are bytes already are only copied. */
export function joinBytes(pieces: readonly (string | Buffer)[]): Buffer {
  let size = 0
  for (const piece of pieces) {
    size += typeof piece === 'string' ? Buffer.byteLength(piece) : piece.length
  }
  const joined = Buffer.allocUnsafe(size)
  let at = 0
  for (const piece of pieces) {
    if (typeof piece === 'string') at += joined.write(piece, at)
    else {
      joined.set(piece, at)
      at += piece.length
    }
  }
  return joined
}
