import { rejectionOf } from '../start-sandbox.ts'

/** The number of each outcome: `{ done: 1, 'MELMASTOON.GENERAL.CONFLICT': 3 }`. */
export async function countOutcomes(
  calls: readonly Promise<unknown>[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const settled = await Promise.allSettled(calls)
  for (const [index, { status }] of settled.entries()) {
    const call = calls[index] ?? Promise.reject(new TypeError('a call without an outcome'))
    const outcome = status === 'fulfilled' ? 'done' : ((await rejectionOf(call)) ?? 'no code')
    counts[outcome] = (counts[outcome] ?? 0) + 1
  }
  return counts
}
