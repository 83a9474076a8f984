/** A program that seeds has this many connections. */
export const SEED_CONNECTIONS = 2

/** The rows of one batch are prepared while Postgres inserts those of the others. */
export async function seedBatches<T>(
  batches: Iterable<T>,
  seed: (batch: T) => Promise<unknown>,
): Promise<void> {
  const queue = iterate(batches)
  const drain = async () => {
    for (const batch of queue) await seed(batch)
  }
  await Promise.all(Array.from({ length: SEED_CONNECTIONS }, drain))
}

function* iterate<T>(batches: Iterable<T>): Generator<T> {
  yield* batches
}

export function* batchesOf<T>(rows: Iterable<T>, size: number): Generator<readonly T[]> {
  let batch: T[] = []
  for (const row of rows) {
    batch.push(row)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}
