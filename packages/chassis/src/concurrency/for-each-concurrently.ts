/**
 * In the order of the items, at most `concurrent` at a time. `work` handles its own failures: one
 * that it throws is thrown here while the other items still run.
 */
export async function forEachConcurrently<T>(
  items: readonly T[],
  concurrent: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values()
  const drain = async () => {
    for (const item of queue) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(concurrent, items.length) }, drain))
}
