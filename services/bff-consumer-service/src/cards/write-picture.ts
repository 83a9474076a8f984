import { type Locale, textFor } from '@melmastoon/domain'
import type { Listing } from '@melmastoon/upstream-contracts/search'

/** Every member is named: undeclared members of an upstream response are dropped. */
export function writePicture(picture: Listing['thumbnail'], locale: Locale) {
  const { url, alt, width, height, sources } = picture
  return {
    url,
    alt: textFor(alt, locale),
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(sources && {
      sources: sources.map((source) => ({
        url: source.url,
        width: source.width,
        format: source.format,
      })),
    }),
  }
}
