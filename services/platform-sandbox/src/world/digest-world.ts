import { createHash } from 'node:crypto'
import type { World } from './world.ts'

/** Equal worlds have equal digests, and none others. */
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

/** Grows with every change of what a seed becomes, so that an older world is sown over. */
export const WORLD_VERSION = 1
