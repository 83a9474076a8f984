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
    version: 4,
    digest: 'sha256:9cc08eab56a25f46fc21b47f83b17868b3f486d8f17588d9b65ccb11e7008ef0',
  })
})
