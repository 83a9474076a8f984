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
    version: 6,
    digest: 'sha256:48d42d8e3a3e077a26e4200585d74435b139b7a408dc09776f094d29480716e1',
  })
})
