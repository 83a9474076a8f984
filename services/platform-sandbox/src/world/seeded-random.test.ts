import { describe, expect, it } from 'vitest'
import { SeededRandom } from './seeded-random.ts'
import { worldId } from './world-id.ts'

function draws(random: SeededRandom, count = 8): number[] {
  return Array.from({ length: count }, () => random.next())
}

describe('SeededRandom', () => {
  it('is deterministic per text', () => {
    expect(draws(SeededRandom.of('a'))).toEqual(draws(SeededRandom.of('a')))
    expect(draws(SeededRandom.of('a'))).not.toEqual(draws(SeededRandom.of('b')))
  })

  it('forks streams that do not depend on previous draws', () => {
    const [fresh, used] = [SeededRandom.of('a'), SeededRandom.of('a')]
    draws(used, 100)
    expect(draws(fresh.fork(7))).toEqual(draws(used.fork(7)))
    expect(draws(fresh.fork(7))).not.toEqual(draws(fresh.fork(8)))
    expect(draws(fresh.fork(-1))).not.toEqual(draws(fresh.fork(0)))
  })

  it('draws evenly', () => {
    const random = SeededRandom.of('even')
    const counts = [0, 0, 0, 0, 0, 0]
    for (let draw = 0; draw < 6_000; draw += 1) {
      const side = random.int(0, 5)
      counts[side] = (counts[side] ?? 0) + 1
    }
    for (const count of counts) {
      expect(count).toBeGreaterThan(880)
      expect(count).toBeLessThan(1_120)
    }
  })

  it('derives the same id for the same key', () => {
    expect(worldId('ppt', 's', '1')).toBe(worldId('ppt', 's', '1'))
    const ids = [worldId('ppt', 's', '2'), worldId('ppt', 't', '1'), worldId('rmt', 's', '1')]
    expect(new Set([worldId('ppt', 's', '1'), ...ids].map((id) => id.slice(-26))).size).toBe(4)
  })
})
