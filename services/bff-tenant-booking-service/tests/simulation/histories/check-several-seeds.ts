import { openStore } from '../environment/simulation-store.ts'
import { type Checked, type CheckOptions, checkHistories } from './check-histories.ts'

/** While the database executes a statement of one history, the process runs another one. */
export const SEEDS_AT_ONCE = 4

/**
 * Runs the histories of several seeds at the same time, from this seed on. Each seed has a database
 * of its own, in which its histories run one after the other.
 */
export async function checkSeveralSeeds(options: Omit<CheckOptions, 'store'>): Promise<Checked> {
  const { seed: first, runs, ...more } = options
  const stopping = new AbortController()
  const checkSeed = async (seed: number) => {
    await using store = await openStore()
    const own = { store, seed, runs: Math.ceil(runs / SEEDS_AT_ONCE), signal: stopping.signal }
    return await checkHistories({ ...more, ...own }).catch((error: unknown) => {
      stopping.abort()
      throw error
    })
  }
  const running = Array.from({ length: SEEDS_AT_ONCE }, (_, index) => checkSeed(first + index))
  // All end before the first failure is reported, so that no database is removed while in use.
  const ended = await Promise.allSettled(running)
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
  return sum(await Promise.all(running))
}

function sum(parts: readonly Checked[]): Checked {
  const happened = new Map<string, number>()
  for (const [event, count] of parts.flatMap((part) => [...part.happened])) {
    happened.set(event, (happened.get(event) ?? 0) + count)
  }
  return {
    histories: parts.reduce((total, { histories }) => total + histories, 0),
    tasks: parts.reduce((total, { tasks }) => total + tasks, 0),
    happened,
  }
}
