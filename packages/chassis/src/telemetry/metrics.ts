import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { assertLabels, seriesOf } from './metric-series.ts'
import { createRequestMetrics, DURATION_BUCKETS, type RequestMetrics } from './request-metrics.ts'

export interface MetricOptions<L extends string> {
  /** Without the service's prefix. */
  name: string
  help: string
  labels?: readonly L[]
}

export type Labels<L extends string> = { readonly [K in L]: string }

export interface CounterMetric<L extends string = never> {
  inc(labels: Labels<L>, by?: number): void
}

export interface GaugeMetric<L extends string = never> {
  set(labels: Labels<L>, value: number): void
  inc(labels: Labels<L>, by?: number): void
  dec(labels: Labels<L>, by?: number): void
}

export interface HistogramMetric<L extends string = never> {
  observe(labels: Labels<L>, value: number): void
}

/**
 * One registry per service instance. Defining a name twice returns the same metric, so two caches
 * or relays in one process share it. A tenant, session or person is never a label.
 */
export interface Metrics {
  counter<L extends string = never>(options: MetricOptions<L>): CounterMetric<L>
  gauge<L extends string = never>(
    options: MetricOptions<L> & { collect?: (gauge: GaugeMetric<L>) => void | Promise<void> },
  ): GaugeMetric<L>
  histogram<L extends string = never>(
    options: MetricOptions<L> & { buckets?: readonly number[] },
  ): HistogramMetric<L>
  readonly requests: RequestMetrics
  readonly contentType: string
  render(): Promise<string>
}

/**
 * Each sample wakes the process: the default of 10 ms is most of the CPU of an idle one. The lags
 * that are reported include this interval, so that short ones are seen in the utilization only.
 */
const LOOP_SAMPLE_MS = 500

export function createMetrics(prefix: string, options: { process?: boolean } = {}): Metrics {
  const registry = new Registry()
  if (options.process) {
    collectDefaultMetrics({
      register: registry,
      prefix: `${prefix}_`,
      eventLoopMonitoringPrecision: LOOP_SAMPLE_MS,
    })
    measureLoop(registry, prefix)
  }
  const known = new Map<string, unknown>()
  const once = <M>(kind: string, spec: MetricOptions<string>, make: (full: FullName) => M): M => {
    assertLabels(spec.name, spec.labels ?? [])
    const key = `${kind} ${spec.name}`
    const existing = known.get(key) as M | undefined
    if (existing !== undefined) return existing
    const { help, labels: labelNames = [] } = spec
    const made = make({ name: `${prefix}_${spec.name}`, help, labelNames, registers: [registry] })
    known.set(key, made)
    return made
  }
  return {
    counter: (spec) => once('counter', spec, makeCounter),
    gauge: (spec) => once('gauge', spec, (full) => makeGauge(full, spec.collect)),
    histogram: (spec) => once('histogram', spec, (full) => makeHistogram(full, spec.buckets)),
    requests: createRequestMetrics(registry, prefix),
    contentType: registry.contentType,
    render: () => registry.metrics(),
  }
}

/** The share of the time since the last scrape in which the event loop was not waiting. */
function measureLoop(registry: Registry, prefix: string): void {
  let last = performance.eventLoopUtilization()
  new Gauge({
    name: `${prefix}_nodejs_eventloop_utilization_ratio`,
    help: 'Share of the time since the last scrape in which the event loop was busy',
    registers: [registry],
    collect() {
      const now = performance.eventLoopUtilization()
      this.set(performance.eventLoopUtilization(now, last).utilization)
      last = now
    },
  })
}

interface FullName {
  name: string
  help: string
  labelNames: readonly string[]
  registers: Registry[]
}

function makeCounter<L extends string>(full: FullName): CounterMetric<L> {
  const series = seriesOf(new Counter({ ...full, labelNames: [...full.labelNames] }), full)
  return { inc: (labels, by = 1) => series(labels).inc(by) }
}

function makeGauge<L extends string>(
  full: FullName,
  collect: ((gauge: GaugeMetric<L>) => void | Promise<void>) | undefined,
): GaugeMetric<L> {
  const collector = collect ? { collect: () => collect(facade) } : {}
  const gauge = new Gauge({ ...full, labelNames: [...full.labelNames], ...collector })
  const series = seriesOf(gauge, full)
  const facade: GaugeMetric<L> = {
    set: (labels, value) => series(labels).set(value),
    inc: (labels, by = 1) => series(labels).inc(by),
    dec: (labels, by = 1) => series(labels).dec(by),
  }
  return facade
}

function makeHistogram<L extends string>(
  full: FullName,
  buckets: readonly number[] = DURATION_BUCKETS,
): HistogramMetric<L> {
  const options = { ...full, labelNames: [...full.labelNames], buckets: [...buckets] }
  const series = seriesOf(new Histogram(options), full)
  return { observe: (labels, value) => series(labels).observe(value) }
}
