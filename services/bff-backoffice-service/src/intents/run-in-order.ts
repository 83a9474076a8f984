/** A piece of work that others may have to wait for. */
export interface OrderedWork {
  readonly position: number
  readonly waitsFor: readonly number[]
}

/**
 * Runs everything after what it waits for, at most `limit` at the same time. The order must have no
 * cycle. @returns the results by position
 */
export async function runInOrder<W extends OrderedWork, R extends object>(
  all: readonly W[],
  limit: number,
  run: (work: W, results: ReadonlyMap<number, R>) => Promise<R>,
): Promise<R[]> {
  const results = new Map<number, R>()
  const waiting = new Set(all)
  const running = new Set<Promise<void>>()
  while (waiting.size > 0 || running.size > 0) {
    for (const work of waiting) {
      if (running.size >= limit) break
      if (!work.waitsFor.every((position) => results.has(position))) continue
      waiting.delete(work)
      const done: Promise<void> = run(work, results).then((result) => {
        results.set(work.position, result)
        running.delete(done)
      })
      running.add(done)
    }
    if (running.size === 0) throw new TypeError('the order has a cycle')
    await Promise.race(running)
  }
  return all.flatMap(({ position }) => results.get(position) ?? [])
}
