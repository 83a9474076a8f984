import type { Database } from '@melmastoon/chassis/db'
import { seedWorld } from './seed-world.ts'

/** For tests: fills a database; two with the same key have the same content. */
export function demoWorld(seed: string, properties = 0) {
  return {
    key: `world ${seed} of ${properties}`,
    run: (db: Database) => seedWorld(db, { seed, properties }),
  }
}
