import type { Attributes, Span as OtelSpan, Tracer as OtelTracer } from '@opentelemetry/api'
import {
  trace as api,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace'
import { randomFraction } from './random-bytes.ts'
import { childOf, newTrace, type TraceContext } from './trace-context.ts'

export type SpanRole = 'server' | 'client' | 'producer' | 'consumer' | 'internal'

export interface SpanOptions {
  role?: SpanRole
  attributes?: Attributes
  /** Work caused by another trace without being part of it, such as a batch (OTel links). */
  links?: readonly TraceContext[]
}

/** `trace` is the context to propagate: its children belong to this span. */
export interface Span extends Disposable {
  readonly trace: TraceContext
  setAttribute(name: string, value: string | number | boolean): void
  /** Marks the span as failed by a code; messages may hold personal data and are not recorded. */
  fail(errorType: string): void
  end(): void
}

export interface Tracer extends AsyncDisposable {
  /** Decides once per new trace whether it is recorded. */
  shouldSample(): boolean
  /** With null as parent a new trace begins, sampled. */
  startSpan(name: string, parent: TraceContext | null, options?: SpanOptions): Span
  flush(): Promise<void>
}

export interface TracerOptions {
  service: string
  instance?: string
  sampleRatio?: number
  otlpUrl?: string | undefined
  /** Replaces the OTLP exporter in tests. */
  exporter?: SpanExporter
}

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
}

/** Flushing traces must not delay a shutdown. */
const EXPORT_TIMEOUT_MS = 2000

/** Spans exist only for sampled requests; for all others a span is a shared, empty object. */
export function createTracer(options: TracerOptions): Tracer {
  const { sampleRatio = 0 } = options
  const exporter = options.exporter ?? (options.otlpUrl ? otlpExporter(options.otlpUrl) : undefined)
  if (exporter === undefined) return noopTracer
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': options.service,
      'service.instance.id': options.instance ?? options.service,
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, exportTimeoutMillis: EXPORT_TIMEOUT_MS })],
  })
  const otel = provider.getTracer('melmastoon')
  return {
    shouldSample: () => sampleRatio > 0 && randomFraction() < sampleRatio,
    startSpan: (name, parent, spanOptions) =>
      parent === null || parent.sampled
        ? recordedSpan(otel, { name, parent, options: spanOptions ?? {} })
        : emptySpan(parent),
    flush: () => provider.forceFlush({ timeoutMillis: EXPORT_TIMEOUT_MS }),
    [Symbol.asyncDispose]: () => provider.shutdown(),
  }
}

export const noopTracer: Tracer = {
  shouldSample: () => false,
  startSpan: (_name, parent) => emptySpan(parent ?? newTrace()),
  flush: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

function otlpExporter(url: string): SpanExporter {
  return new OTLPTraceExporter({ url, timeoutMillis: EXPORT_TIMEOUT_MS })
}

function contextOf({ traceId, spanId }: TraceContext) {
  return { traceId, spanId, traceFlags: TraceFlags.SAMPLED, isRemote: true }
}

function recordedSpan(
  otel: OtelTracer,
  start: { name: string; parent: TraceContext | null; options: SpanOptions },
): Span {
  const { role = 'internal', attributes = {}, links = [] } = start.options
  const context =
    start.parent === null ? ROOT_CONTEXT : api.setSpanContext(ROOT_CONTEXT, contextOf(start.parent))
  const span = otel.startSpan(
    start.name,
    {
      kind: KINDS[role],
      attributes,
      links: links.map((link) => ({ context: contextOf(link) })),
    },
    context,
  )
  return wrapSpan(span, start.parent)
}

function wrapSpan(span: OtelSpan, parent: TraceContext | null): Span {
  const { traceId, spanId } = span.spanContext()
  return {
    trace: { ...parent, traceId, spanId, sampled: true },
    setAttribute: (name, value) => void span.setAttribute(name, value),
    fail(errorType) {
      span.setAttribute('error.type', errorType)
      span.setStatus({ code: SpanStatusCode.ERROR })
    },
    end: () => span.end(),
    [Symbol.dispose]: () => span.end(),
  }
}

function emptySpan(parent: TraceContext): Span {
  return new EmptySpan(childOf(parent))
}

class EmptySpan implements Span {
  readonly trace: TraceContext

  constructor(trace: TraceContext) {
    this.trace = trace
  }

  setAttribute(): void {}
  fail(): void {}
  end(): void {}
  [Symbol.dispose](): void {}
}
