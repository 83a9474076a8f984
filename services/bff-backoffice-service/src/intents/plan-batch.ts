import type { SentIntent } from './parse-intent.ts'

/** One intent of a batch, and which others of the batch have to be settled before it. */
export interface PlannedIntent extends SentIntent {
  readonly position: number
  /** The previous one on the same resource, and earlier copies of the same intent. */
  readonly after: readonly number[]
  /** The position of the intent that it depends on, if that is in the batch. */
  readonly dependency: number | undefined
  /** Its dependency waits for it: neither can be first. */
  readonly isCyclic: boolean
}

/** By `seq` on each resource of the device; resources are independent of each other. */
export function planBatch(sent: readonly SentIntent[]): PlannedIntent[] {
  const after = sent.map((): number[] => [])
  const add = (position: number, earlier: number) => after[position]?.push(earlier)
  for (const chain of chainsOf(sent)) {
    for (const [index, position] of chain.entries()) {
      const previous = chain[index - 1]
      if (previous !== undefined) add(position, previous)
    }
  }
  const first = new Map<string, number>()
  for (const [position, { intentId }] of sent.entries()) {
    if (intentId === null) continue
    const original = first.get(intentId)
    if (original === undefined) first.set(intentId, position)
    // A copy with a smaller number on the same resource is ordered by that already.
    else if (!reaches(after, original, position)) add(position, original)
  }
  return withDependencies(sent, { after, first })
}

function withDependencies(
  sent: readonly SentIntent[],
  { after, first }: { readonly after: number[][]; readonly first: ReadonlyMap<string, number> },
): PlannedIntent[] {
  return sent.map((each, position) => {
    const { dependsOn } = each.intent ?? {}
    const dependency = dependsOn === undefined ? undefined : first.get(dependsOn)
    const isCyclic =
      dependency !== undefined && (dependency === position || reaches(after, dependency, position))
    const known = [...(after[position] ?? [])]
    // Later dependencies see this one, so that a cycle of several is found as well.
    if (dependency !== undefined && !isCyclic) after[position]?.push(dependency)
    return { ...each, position, after: known, dependency, isCyclic }
  })
}

/** The positions of each resource, in the order of `seq`. */
function chainsOf(sent: readonly SentIntent[]): number[][] {
  const valid = sent.flatMap(({ intent }, position) => (intent ? [{ position, ...intent }] : []))
  const chains = Map.groupBy(valid, ({ resourceId }) => resourceId)
  return [...chains.values()].map((chain) =>
    chain.toSorted((a, b) => a.seq - b.seq || a.position - b.position).map((each) => each.position),
  )
}

/** Whether `from` waits, directly or not, for `to`. */
function reaches(after: readonly (readonly number[])[], from: number, to: number): boolean {
  const seen = new Set<number>()
  const open = [from]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === to) return true
    if (seen.has(at)) continue
    seen.add(at)
    open.push(...(after[at] ?? []))
  }
  return false
}
