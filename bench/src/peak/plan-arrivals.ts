interface Weighted {
  readonly perSecond: number
}

/**
 * The order of one second's requests: each kind as often as its rate and evenly spread, so that
 * the load of every moment is the same mix (smooth weighted round robin).
 */
export function planArrivals<T extends Weighted>(kinds: readonly T[]): T[] {
  const total = kinds.reduce((sum, { perSecond }) => sum + perSecond, 0)
  const credits = kinds.map(() => 0)
  return Array.from({ length: total }, () => {
    let best = 0
    kinds.forEach(({ perSecond }, at) => {
      credits[at] = (credits[at] ?? 0) + perSecond
      if ((credits[at] ?? 0) > (credits[best] ?? 0)) best = at
    })
    credits[best] = (credits[best] ?? 0) - total
    const kind = kinds[best]
    if (kind === undefined) throw new TypeError('no kinds of requests')
    return kind
  })
}
