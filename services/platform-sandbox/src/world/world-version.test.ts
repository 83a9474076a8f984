import { parseIsoDate } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { digestWorld, WORLD_VERSION } from './digest-world.ts'
import { generateWorld } from './generate-world.ts'

/** Both or none: databases that know a version never hear of changes that did not raise it. */
it('a version of the world is one world', () => {
  const anchorDate = parseIsoDate('2026-03-19')
  const digest = digestWorld(generateWorld({ seed: 'pinned', anchorDate, properties: 20 }))
  expect({ version: WORLD_VERSION, digest }).toEqual({
    version: 1,
    digest: 'sha256:9a1395502153b0f9b64a76fa41f39e5cc8c02f6c44d1fa80839683de3dcdd0df',
  })
})
