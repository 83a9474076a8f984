import { Coalescer } from '@melmastoon/chassis/concurrency'
import { problem } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import type { PhotoBitmap } from './photo-sources.ts'
import { WIDTH } from './svg.ts'

/** Of one bitmap: at two at a time the other core serves requests. */
const RUNNING_MAX = 2
/** A page has some twenty pictures; beyond this the response is 503. */
const WAITING_MAX = 400
const CACHE_BYTES = 64 * 1024 * 1024
/** The resolution at which a drawing has its own width. */
const DPI = 72
const QUALITY = 78

export interface PhotoRenderer {
  /** `name` is the key of the drawing, which is drawn only if the bitmap is not cached. */
  render(name: string, bitmap: PhotoBitmap, draw: () => Promise<string>): Promise<Buffer>
}

/** Bitmaps of drawings: rendered on demand, a few at a time, and kept in memory up to a bound. */
export function createPhotoRenderer(encode = encodeWithSharp): PhotoRenderer {
  const cached = new LRUCache<string, Buffer>({
    maxSize: CACHE_BYTES,
    sizeCalculation: (bytes) => Math.max(1, bytes.length),
  })
  const coalescer = new Coalescer<Buffer>()
  const turns = new Turns()
  return {
    async render(name, bitmap, draw) {
      const key = `${name} ${bitmap.width} ${bitmap.format}`
      const known = cached.get(key)
      if (known !== undefined) return known
      return await coalescer.run(key, async () => {
        const drawing = await draw()
        const bytes = await turns.take(() => encode(drawing, bitmap))
        cached.set(key, bytes)
        return bytes
      })
    },
  }
}

/** At most `RUNNING_MAX` at once, the others in the order of their calls. */
class Turns {
  #running = 0
  readonly #waiting: (() => void)[] = []

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= RUNNING_MAX) await this.#wait()
    else this.#running += 1
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }

  #wait(): Promise<void> {
    if (this.#waiting.length >= WAITING_MAX) throw problem('MELMASTOON.GENERAL.OVERLOADED')
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.push(resolve)
    return promise
  }
}

/** Loaded with the first bitmap: most processes render none. */
async function encodeWithSharp(drawing: string, { width, format }: PhotoBitmap): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  sharp.cache(false)
  const density = (DPI * width) / WIDTH
  const image = sharp(Buffer.from(drawing), { density }).resize({ width })
  return await image[format]({ quality: QUALITY }).toBuffer()
}
