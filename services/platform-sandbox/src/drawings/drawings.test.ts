import { newId, parseId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { SCENERIES } from '../world/city.ts'
import { worldId } from '../world/world-id.ts'
import { drawLogo } from './draw-logo.ts'
import { drawPhoto } from './draw-photo.ts'
import { PHOTOS_MAX, photoIdOf, readPhotoId } from './photo-id.ts'
import { motifOf, PHOTO_MOTIFS, roomPhotoIndexes } from './photo-motif.ts'

const everyPhoto = PHOTO_MOTIFS.flatMap((motif) =>
  SCENERIES.flatMap((scenery) =>
    ['1', '2', '3', '4'].map((seed) => ({ seed: `${motif} ${scenery} ${seed}`, motif, scenery })),
  ),
)

/** Every element that opens also closes, in order. */
function isBalanced(xml: string): boolean {
  const open: string[] = []
  for (const [, slash, name = '', self] of xml.matchAll(/<(\/?)(\w+)[^<>]*?(\/?)>/g)) {
    if (slash === '/') {
      if (open.pop() !== name) return false
    } else if (self !== '/') open.push(name)
  }
  return open.length === 0
}

describe('drawings', () => {
  it('are deterministic per seed', () => {
    const plan = { seed: 'a', motif: 'facade', scenery: 'mountain' } as const
    expect(drawPhoto(plan)).toBe(drawPhoto(plan))
    expect(drawPhoto({ ...plan, seed: 'b' })).not.toBe(drawPhoto(plan))
    const all = new Set(everyPhoto.map(drawPhoto))
    expect(all.size).toBe(everyPhoto.length)
  })

  it('are well-formed, small, and have no external references', () => {
    for (const plan of everyPhoto) {
      const svg = drawPhoto(plan)
      expect(isBalanced(svg)).toBe(true)
      expect(svg).not.toMatch(/NaN|undefined|Infinity/)
      expect(svg).not.toMatch(/<script|<image|<style|href="[^#]|\son\w+=/)
      const bytes = Buffer.byteLength(svg)
      expect(bytes).toBeGreaterThan(2_000)
      expect(bytes).toBeLessThan(6_144)
    }
  })

  it('refer only to what they define', () => {
    for (const plan of everyPhoto) {
      const svg = drawPhoto(plan)
      const defined = new Set([...svg.matchAll(/ id="(\w+)"/g)].map(([, id]) => id))
      const used = [...svg.matchAll(/(?:url\(|href=")#(\w+)/g)].map(([, id]) => id)
      expect(used.filter((id) => !defined.has(id))).toEqual([])
    }
  })

  it('write only a capital letter into a logo', () => {
    const logo = drawLogo({ seed: 'a', hue: 200, letter: 'G' })
    expect(isBalanced(logo)).toBe(true)
    expect(logo).toContain('>G</text>')
    expect(drawLogo({ seed: 'a', hue: 200, letter: '<' })).not.toContain('<<')
  })
})

describe('ids of photos', () => {
  it('can be parsed into house and number', () => {
    const propertyId = worldId('ppt', 'seed', '1')
    for (let index = 0; index < PHOTOS_MAX; index += 1) {
      expect(readPhotoId(photoIdOf(propertyId, index))).toEqual({ propertyId, index })
    }
    expect(() => photoIdOf(propertyId, PHOTOS_MAX)).toThrow(TypeError)
  })

  it('are rejected for ids that cannot be numbered', () => {
    const other = parseId('ppt', newId('ppt').replace(/.$/, '7'))
    expect(() => photoIdOf(other, 0)).toThrow(TypeError)
  })

  it('determine the motif of a photo, or that there is none', () => {
    const house = { photoCount: 4, roomTypeCount: 2 }
    expect(motifOf(0, house)).toBe('facade')
    expect(motifOf(3, house)).toBe('breakfast')
    expect(motifOf(4, house)).toBeUndefined()
    for (const index of roomPhotoIndexes(1)) expect(motifOf(index, house)).toBe('room')
    for (const index of roomPhotoIndexes(2)) expect(motifOf(index, house)).toBeUndefined()
  })
})
