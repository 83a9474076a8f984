import type { IMAGE_FORMATS } from '@melmastoon/upstream-contracts'
import { HEIGHT, WIDTH } from './svg.ts'

export type PhotoFormat = (typeof IMAGE_FORMATS)[number]

export interface PhotoBitmap {
  readonly width: number
  readonly format: PhotoFormat
}

/** For phones, and for screens with two pixels per point. */
const THUMBNAILS: readonly PhotoBitmap[] = [
  { width: 320, format: 'webp' },
  { width: 640, format: 'webp' },
]

/** JPEG for programs that show no WebP, such as previews of links. */
const BITMAPS: readonly PhotoBitmap[] = [
  ...THUMBNAILS,
  { width: 1280, format: 'webp' },
  { width: 640, format: 'jpeg' },
  { width: 1280, format: 'jpeg' },
]

/** Undefined for a width or format that is not offered: the number of bitmaps is bounded. */
export function findBitmap(width: string, format: PhotoFormat): PhotoBitmap | undefined {
  return BITMAPS.find((known) => String(known.width) === width && known.format === format)
}

/** The drawing is scalable: its size is that of its coordinates. `url` is the URL of it. */
export function photoSizes(url: string) {
  return { width: WIDTH, height: HEIGHT, sources: sourcesOf(BITMAPS, url) }
}

export function thumbnailSizes(url: string) {
  return { width: WIDTH, height: HEIGHT, sources: sourcesOf(THUMBNAILS, url) }
}

function sourcesOf(bitmaps: readonly PhotoBitmap[], url: string) {
  const base = url.replace(/\.svg$/, '')
  return bitmaps.map(({ width, format }) => ({ url: `${base}/${width}.${format}`, width, format }))
}
