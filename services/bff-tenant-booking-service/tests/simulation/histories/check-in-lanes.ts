import { openStore } from '../environment/simulation-store.ts'
import { type Checked, type CheckOptions, checkHistories } from './check-histories.ts'

/** While the database executes a statement of one history, the process runs another one. */
export const LANES = 4

/**
 * Runs the histories of several seeds at the same time, from this seed on: each lane has a database
 * of its own, and its histories run one after the other.
 */
export async function checkInLanes(options: Omit<CheckOptions, 'store'>): Promise<Checked> {
  const { seed, runs, ...more } = options
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    await using store = await openStore()
    const own = { store, seed: seed + lane, runs: Math.ceil(runs / LANES) }
    return await checkHistories({ ...more, ...own })
  })
  const ended = await Promise.allSettled(lanes)
  const failed = ended.find((lane) => lane.status === 'rejected')
  if (failed !== undefined) throw failed.reason
  return sum(await Promise.all(lanes))
}

function sum(lanes: readonly Checked[]): Checked {
  const happened = new Map<string, number>()
  for (const [event, count] of lanes.flatMap((lane) => [...lane.happened])) {
    happened.set(event, (happened.get(event) ?? 0) + count)
  }
  return {
    histories: lanes.reduce((total, { histories }) => total + histories, 0),
    tasks: lanes.reduce((total, { tasks }) => total + tasks, 0),
    happened,
  }
}
