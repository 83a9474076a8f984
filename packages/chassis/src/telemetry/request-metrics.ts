import { Counter, Gauge, type Registry } from 'prom-client'

/** Boundaries of the OpenTelemetry HTTP semantic conventions, in seconds. */
export const DURATION_BUCKETS: readonly number[] = [
  0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10,
]

/**
 * Counts of one route and method, as plain numbers: the request path pays two additions and a
 * bucket search, and the text is rendered only when it is scraped.
 */
export class RouteSeries {
  readonly route: string
  readonly method: string
  readonly totals = new Float64Array(6)
  readonly buckets = new Float64Array(DURATION_BUCKETS.length + 1)
  sumSeconds = 0
  inflight = 0

  constructor(route: string, method: string) {
    this.route = route
    this.method = method
  }

  start(): void {
    this.inflight++
  }

  finish(status: number, seconds: number): void {
    this.inflight--
    this.sumSeconds += seconds
    const hundreds = (status / 100) | 0
    const statusClass = hundreds > 5 ? 0 : hundreds
    this.totals[statusClass] = (this.totals[statusClass] ?? 0) + 1
    const bucket = bucketOf(seconds)
    this.buckets[bucket] = (this.buckets[bucket] ?? 0) + 1
  }
}

function bucketOf(seconds: number): number {
  const found = DURATION_BUCKETS.findIndex((bound) => seconds <= bound)
  return found === -1 ? DURATION_BUCKETS.length : found
}

export interface RequestMetrics {
  /** Call once per route when it is registered, never with a raw path. */
  series(route: string, method: string): RouteSeries
  countError(route: string, errorCode: string): void
}

export function createRequestMetrics(registry: Registry, prefix: string): RequestMetrics {
  const all = new Map<string, RouteSeries>()
  const registers = [registry]
  registerTotals({ registers, prefix, all })
  registerInflight({ registers, prefix, all })
  registry.registerMetric(durationMetric(`${prefix}_request_duration_seconds`, all))
  const errors = new Counter({
    name: `${prefix}_errors_total`,
    help: 'Problem responses by route and code.',
    labelNames: ['route', 'error_code'],
    registers,
  })
  return {
    series(route, method) {
      const key = `${method} ${route}`
      const series = all.get(key) ?? new RouteSeries(route, method)
      all.set(key, series)
      return series
    },
    countError: (route, errorCode) => errors.inc({ route, error_code: errorCode }),
  }
}

interface Source {
  registers: Registry[]
  prefix: string
  all: ReadonlyMap<string, RouteSeries>
}

function registerTotals({ registers, prefix, all }: Source): void {
  new Counter({
    name: `${prefix}_request_total`,
    help: 'Responses by route, method and status class.',
    labelNames: ['route', 'method', 'status_class'],
    registers,
    collect() {
      this.reset()
      for (const { route, method, totals } of all.values()) {
        totals.forEach((count, index) => {
          if (count > 0) this.inc({ route, method, status_class: `${index}xx` }, count)
        })
      }
    },
  })
}

function registerInflight({ registers, prefix, all }: Source): void {
  new Gauge({
    name: `${prefix}_request_inflight`,
    help: 'Requests in progress by route.',
    labelNames: ['route'],
    registers,
    collect() {
      this.reset()
      for (const { route, inflight } of all.values()) this.inc({ route }, inflight)
    },
  })
}

interface RenderedMetric {
  readonly name: string
  get(): object
}

/** prom-client's types want one of its classes; it uses only the name and `get` of a metric. */
function registrable(metric: RenderedMetric): Gauge {
  return metric as unknown as Gauge
}

function durationMetric(name: string, all: ReadonlyMap<string, RouteSeries>) {
  const get = () => ({
    name,
    help: 'Time from the first byte of a request to the end of its response.',
    type: 'histogram',
    values: [...all.values()].flatMap((series) => durationLines(name, series)),
    aggregator: 'sum',
  })
  return registrable({ name, get })
}

function durationLines(name: string, series: RouteSeries) {
  const labels = { route: series.route, method: series.method }
  let cumulative = 0
  const lines = [...series.buckets].map((count, index) => {
    cumulative += count
    const le = DURATION_BUCKETS[index] ?? '+Inf'
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: cumulative }
  })
  if (cumulative === 0) return []
  return [
    ...lines,
    { metricName: `${name}_sum`, labels, value: series.sumSeconds },
    { metricName: `${name}_count`, labels, value: cumulative },
  ]
}
