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
    version: 1,
    digest: 'sha256:9a1395502153b0f9b64a76fa41f39e5cc8c02f6c44d1fa80839683de3dcdd0df',
  })
})
