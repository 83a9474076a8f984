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
    version: 5,
    digest: 'sha256:5b61b57a72443c271a26a7d9d48b130e7676556d16ee2e886dd8e764cdbf0736',
  })
})
