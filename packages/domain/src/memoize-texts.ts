const TEXT_LENGTH_MAX = 1_024

/**
 * For texts of which clients send few different ones, such as the values of a header: each is
 * parsed once. A full memory is emptied; longer texts are parsed each time.
 */
export function memoizeTexts<T>(parse: (text: string) => T, max = 256): (text: string) => T {
  const known = new Map<string, { readonly parsed: T }>()
  return (text) => {
    const seen = known.get(text)
    if (seen !== undefined) return seen.parsed
    const parsed = parse(text)
    if (text.length > TEXT_LENGTH_MAX) return parsed
    if (known.size >= max) known.clear()
    known.set(text, { parsed })
    return parsed
  }
}
