import { parseIsoDate } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { digestWorld, WORLD_VERSION } from './digest-world.ts'
import { generateWorld } from './generate-world.ts'

/**
 * Version and digest change together: databases with a version are not updated unless it changes.
 */
it('a world version has exactly one digest', () => {
  const anchorDate = parseIsoDate('2026-03-19')
  const digest = digestWorld(
    generateWorld({ seed: 'pinned', anchorDate, properties: 20, stayDays: 150 }),
  )
  expect({ version: WORLD_VERSION, digest }).toEqual({
    version: 8,
    digest: 'sha256:db1843ef12d15bca29dfd8666cb0361ad8efb7ba71f022194cd36c44d2f4e0e6',
  })
})
