import { parseIsoDate } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { digestWorld, WORLD_VERSION } from './digest-world.ts'
import { generateWorld } from './generate-world.ts'

/**
 * Version and digest change together: databases with a version are not updated unless it changes.
 */
it('a world version has exactly one digest', () => {
  const anchorDate = parseIsoDate('2026-03-19')
  const digest = digestWorld(generateWorld({ seed: 'pinned', anchorDate, properties: 20 }))
  expect({ version: WORLD_VERSION, digest }).toEqual({
    version: 2,
    digest: 'sha256:ac52da9f59dc8837d55243e9c4093cabec534bc25131bd6376d4a34c71d1c29a',
  })
})
