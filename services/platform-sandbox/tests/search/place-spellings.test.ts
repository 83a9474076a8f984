import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { suggestNames } from '../../src/modules/search/suggest/suggest-names.ts'
import { generateWorld } from '../../src/world/generate-world.ts'
import { loadWorld } from './load-world.ts'
import { isUnseen, SPELLINGS, type Spelling } from './place-spellings.ts'

const anchorDate = parseIsoDate('2026-03-19')
const index = loadWorld(generateWorld({ seed: 'spellings', anchorDate, properties: 3_600 }))

function firstFor(text: string): string {
  const [first] = suggestNames(index, text)
  return first === undefined ? 'nothing' : `${first.kind}:${first.key}`
}

function missesOf(spellings: readonly Spelling[]): string[] {
  return spellings.flatMap(({ text, place, source }) => {
    const first = firstFor(text)
    return first === place ? [] : [`${text} (${source}): ${first} instead of ${place}`]
  })
}

const halves = [
  { which: 'used', half: SPELLINGS.filter((spelling) => !isUnseen(spelling)) },
  { which: 'unseen', half: SPELLINGS.filter(isUnseen) },
]

describe('C19 the first suggestion for a spelling', () => {
  it('is tested with at least 400 spellings, half of them unseen', () => {
    expect(new Set(SPELLINGS.map(({ text }) => text)).size).toBe(SPELLINGS.length)
    for (const { half } of halves) expect(half.length).toBeGreaterThan(200)
  })

  it.each(halves)('is right for 95 of 100 spellings $which during development', ({ half }) => {
    const misses = missesOf(half)
    expect(misses.length / half.length, misses.join('\n')).toBeLessThanOrEqual(0.05)
  })

  it('control: is another place for another name', () => {
    expect(missesOf([{ text: 'Herat', place: 'city:kabul', source: 'control' }])).toHaveLength(1)
    for (const text of ['Xqzvbn', 'xyzzy'])
      expect([text, firstFor(text)]).toEqual([text, 'nothing'])
  })

  it('is the place of that name rather than one whose longer name starts like it', () => {
    expect(firstFor('کاپل')).toBe('city:kabul')
  })
})
