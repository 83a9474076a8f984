import { listProcesses, type ProcessStat, readProcess, usedUs } from './process-stat.ts'

const READ_TRIES_MAX = 5
/** What has been waited for is known to a tick of user and one of system time. */
const TICKS_US = 20_000

interface CountedProcess extends ProcessStat {
  readonly ownUs: number
}

/**
 * Microseconds of CPU that a process and its descendants have used. What a process used that has
 * ended stays in the sum: its parent has it if it waited for it, otherwise the last reading is
 * kept. So the value never falls.
 */
export class CpuTime {
  readonly #root: number
  #known = new Map<string, CountedProcess>()
  #parents = new Map<string, string>()
  #unreapedUs = 0
  #lastUs = 0

  constructor(root: number) {
    this.#root = root
  }

  readUs(): number {
    const live = readTree(this.#root, this.#known)
    const gone = [...this.#known.values()].filter(({ key }) => !live.has(key))
    for (const [survivor, lastUs] of this.#lastOf(gone, live)) {
      const grownUs = reapedOf(live, survivor) - reapedOf(this.#known, survivor)
      if (lastUs - grownUs > TICKS_US) this.#unreapedUs += lastUs - grownUs
    }
    this.#remember(live)
    this.#lastUs = Math.max(this.#lastUs, this.#unreapedUs + sum([...live.values()].map(totalUs)))
    return this.#lastUs
  }

  /** What the ended processes had used, by the nearest ancestor that still runs. */
  #lastOf(gone: readonly CountedProcess[], live: ReadonlyMap<string, CountedProcess>) {
    const sums = new Map<string, number>()
    for (const each of gone) {
      let survivor = this.#parents.get(each.key)
      while (survivor !== undefined && !live.has(survivor)) survivor = this.#parents.get(survivor)
      const key = survivor ?? ''
      sums.set(key, (sums.get(key) ?? 0) + totalUs(each))
    }
    return sums
  }

  #remember(live: Map<string, CountedProcess>): void {
    const keys = new Map([...live.values()].map(({ pid, key }) => [pid, key]))
    const parents = [...live.values()].flatMap(({ key, parent }) => {
      // An orphan keeps the parent it had, which has ended.
      const known = keys.get(parent) ?? this.#parents.get(key)
      return known === undefined ? [] : [[key, known] as const]
    })
    this.#known = live
    this.#parents = new Map(parents)
  }
}

const totalUs = ({ ownUs, reapedUs }: CountedProcess) => ownUs + reapedUs

function reapedOf(stats: ReadonlyMap<string, CountedProcess>, key: string): number {
  return stats.get(key)?.reapedUs ?? 0
}

/** Read again when a process ended meanwhile, which could be counted twice or not at all. */
function readTree(
  root: number,
  known: ReadonlyMap<string, CountedProcess>,
): Map<string, CountedProcess> {
  for (let tries = 1; ; tries += 1) {
    const tree = readTreeOnce(root, known)
    const isStable = [...tree.values()].every(({ pid, key, reapedUs }) => {
      const now = readProcess(pid)
      return now?.key === key && now.reapedUs === reapedUs
    })
    if (isStable || tries === READ_TRIES_MAX) return tree
  }
}

function readTreeOnce(root: number, known: ReadonlyMap<string, CountedProcess>) {
  const all = listProcesses().flatMap((pid) => readProcess(pid) ?? [])
  const children = Map.groupBy(all, ({ parent }) => parent)
  const tree = new Map<string, CountedProcess>()
  const visit = (stat: ProcessStat) => {
    if (tree.has(stat.key)) return
    tree.set(stat.key, { ...stat, ownUs: usedUs(stat) })
    children.get(stat.pid)?.forEach(visit)
  }
  // Orphans are found by what is known of them.
  for (const stat of all) if (stat.pid === root || known.has(stat.key)) visit(stat)
  return tree
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
