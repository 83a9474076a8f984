import { isProblem } from '@melmastoon/domain'
import { latch } from '@melmastoon/testkit'
import { describe, expect, it } from 'vitest'
import { drawPhoto } from './draw-photo.ts'
import { createPhotoRenderer } from './render-photo.ts'

const DRAWING = drawPhoto({ seed: 'a', motif: 'facade', scenery: 'mountain' })
const SMALL = { width: 320, format: 'webp' } as const
const draw = async () => DRAWING

describe('C22 bitmaps of photos', () => {
  it('have the requested format and width', async () => {
    const renderer = createPhotoRenderer()
    const { default: sharp } = await import('sharp')
    for (const format of ['webp', 'jpeg'] as const) {
      for (const width of [320, 1280]) {
        const bytes = await renderer.render('a', { width, format }, draw)
        const { width: found, height, format: kind } = await sharp(bytes).metadata()
        expect([found, height, kind]).toEqual([width, width * 0.625, format])
        expect(bytes.length).toBeLessThan(200_000)
      }
    }
  })

  it('are rendered once, also for concurrent requests', async () => {
    let runs = 0
    const renderer = createPhotoRenderer(async () => Buffer.from(`run ${(runs += 1)}`))
    await Promise.all(Array.from({ length: 10 }, () => renderer.render('a', SMALL, draw)))
    await renderer.render('a', SMALL, draw)
    expect(runs).toBe(1)
    await renderer.render('b', SMALL, draw)
    expect(runs).toBe(2)
  })

  it('are rendered two at a time; beyond the queue the response is 503', async () => {
    const gate = latch()
    let [running, most] = [0, 0]
    const renderer = createPhotoRenderer(async () => {
      running += 1
      most = Math.max(most, running)
      await gate.promise
      running -= 1
      return Buffer.from('bytes')
    })
    const requests = Array.from({ length: 403 }, (_, photo) =>
      renderer.render(`photo ${photo}`, SMALL, draw).catch((error: unknown) => error),
    )
    const rejected = await Promise.race(requests)
    expect(isProblem(rejected) && rejected.code).toBe('MELMASTOON.GENERAL.OVERLOADED')
    gate.open()
    const outcomes = await Promise.all(requests)
    expect(outcomes.filter((outcome) => Buffer.isBuffer(outcome))).toHaveLength(402)
    expect(most).toBe(2)
  })

  it('are not cached after a failure', async () => {
    let runs = 0
    const renderer = createPhotoRenderer(async () => {
      runs += 1
      if (runs === 1) throw new TypeError('broken')
      return Buffer.from('bytes')
    })
    await expect(renderer.render('a', SMALL, draw)).rejects.toThrow('broken')
    expect(await renderer.render('a', SMALL, draw)).toEqual(Buffer.from('bytes'))
  })
})
