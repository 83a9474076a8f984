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
    version: 3,
    digest: 'sha256:09c86efad1e72e3cbdd6b689846c5b511b706b26bb6886cf92e7f18b7a2520a5',
  })
})
