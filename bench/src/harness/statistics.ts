import type { Sample } from './row.ts'

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}

/** Linear between neighbours, so that the median of an even count is the mean of the middle two. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const position = (sorted.length - 1) * share
  const below = sorted[Math.floor(position)] ?? Number.NaN
  const above = sorted[Math.ceil(position)] ?? Number.NaN
  return below + (above - below) * (position - Math.floor(position))
}

/** Half the distance between the quartiles, as a share of the median. */
export function spread(values: readonly number[]): number {
  return (percentile(values, 0.75) - percentile(values, 0.25)) / 2 / median(values)
}

/** The slope of the best-fitting line through the values. */
export function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const rise = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return rise / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)
}

export function valuesOf(samples: readonly Sample[], metric: string): number[] {
  return samples.map((sample) => sample[metric]).filter((value) => value !== undefined)
}

/**
 * The median of the ratios within each round: a temporary slowdown of the machine affects both
 * values and cancels out.
 */
export function pairedRatio(
  metric: string,
  over: readonly Sample[],
  under: readonly Sample[],
): number {
  const ratios = over.flatMap((sample, round) => {
    const a = sample[metric]
    const b = under[round]?.[metric]
    return a === undefined || b === undefined ? [] : [a / b]
  })
  return median(ratios)
}

/** On a shared machine, smaller differences are not significant. */
export const SAME_WITHIN = 1.15

export function isSame(ratio: number): boolean {
  return ratio < SAME_WITHIN && ratio > 1 / SAME_WITHIN
}
