/** Label combinations of one metric; the service as a whole stays below 2,000 (ECO-06). */
const SERIES_MAX = 300
const OVERFLOW = 'other'

/** Labels that grow with the number of customers would let one scrape fill the memory. */
const FORBIDDEN_LABEL = /tenant|session|user|guest|operator|device|request|trace|email|address|_id$/

interface Labelled<C> {
  labels(...values: string[]): C
}

export function assertLabels(metric: string, labels: readonly string[]): void {
  const forbidden = labels.find((label) => FORBIDDEN_LABEL.test(label))
  if (forbidden !== undefined)
    throw new TypeError(`metric ${metric}: label ${forbidden} is not allowed`)
}

/**
 * Finds the child of a metric by its label values. Beyond the limit, every new combination counts
 * under one overflow series: totals stay right and memory stays bounded.
 */
export function seriesOf<C>(
  metric: Labelled<C>,
  options: { labelNames: readonly string[] },
): (labels: Readonly<Record<string, string>>) => C {
  const { labelNames } = options
  const children = new Map<string, C>()
  const find = (values: string[]): C => {
    const key = values.join('\u0000')
    let child = children.get(key)
    if (child === undefined) {
      if (children.size >= SERIES_MAX) return find(values.map(() => OVERFLOW))
      child = metric.labels(...values)
      children.set(key, child)
    }
    return child
  }
  const overflow = labelNames.map(() => OVERFLOW)
  children.set(overflow.join('\u0000'), metric.labels(...overflow))
  const [only] = labelNames
  // The usual case, on the path of every request.
  if (only !== undefined && labelNames.length === 1) {
    return (labels) => children.get(String(labels[only])) ?? find([String(labels[only])])
  }
  return (labels) => find(labelNames.map((name) => String(labels[name])))
}
