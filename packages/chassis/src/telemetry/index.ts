export {
  busMetrics,
  cacheMetrics,
  consumerMetrics,
  flagsMetrics,
  limitMetrics,
  poolMetrics,
  relayMetrics,
  sectionMetrics,
  telemetryMetrics,
  upstreamMetrics,
} from './component-metrics.ts'
export {
  createErrorReporter,
  type ErrorReporter,
  type ErrorReporterOptions,
  isDependencyFailure,
} from './error-reporter.ts'
export type { LogField, LogFields } from './log-fields.ts'
export {
  createLogger,
  type Logger,
  type LoggerOptions,
  type LogLevel,
  silentLogger,
} from './logger.ts'
export {
  type CounterMetric,
  createMetrics,
  type GaugeMetric,
  type HistogramMetric,
  type Labels,
  type MetricOptions,
  type Metrics,
} from './metrics.ts'
export type { RequestMetrics, RouteSeries } from './request-metrics.ts'
export {
  childOf,
  newTrace,
  parseTraceHeaders,
  parseTraceparent,
  renderTraceparent,
  type TraceContext,
  type TraceHeaders,
} from './trace-context.ts'
export {
  createTracer,
  noopTracer,
  type Span,
  type SpanOptions,
  type SpanRole,
  type Tracer,
  type TracerOptions,
} from './tracer.ts'
