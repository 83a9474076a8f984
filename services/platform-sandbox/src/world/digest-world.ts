import { createHash } from 'node:crypto'
import type { World } from './world.ts'

/** Equal worlds, and only those, have equal digests. */
export function digestWorld(world: World): string {
  const { seed, anchorDate, tenants, properties, stays } = world
  const hash = createHash('sha256')
  hash.update(JSON.stringify([seed, anchorDate]))
  for (const part of [tenants, properties, stays]) {
    for (const thing of part) hash.update(`${JSON.stringify(thing, bigintAsText)}\n`)
    hash.update('\n')
  }
  return `sha256:${hash.digest('hex')}`
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value
}

/** Incremented with every change of the generator, so that an older world is seeded again. */
export const WORLD_VERSION = 8
