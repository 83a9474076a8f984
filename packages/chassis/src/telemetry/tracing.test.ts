import { InMemorySpanExporter } from '@opentelemetry/sdk-trace'
import { describe, expect, it } from 'vitest'
import { parseTraceparent, renderTraceparent } from './trace-context.ts'
import { createTracer, noopTracer } from './tracer.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'
const spanId = 'b7ad6b7169203331'

describe('traceparent', () => {
  it('parses its own output', () => {
    const trace = { traceId, spanId, sampled: true }
    expect(parseTraceparent(renderTraceparent(trace))).toEqual(trace)
  })

  it.each([
    ['unsampled', `00-${traceId}-${spanId}-00`, false],
    ['unknown flags', `00-${traceId}-${spanId}-03`, true],
    ['a later version', `01-${traceId}-${spanId}-01`, true],
    ['a later version with more fields', `cc-${traceId}-${spanId}-01-what-comes`, true],
  ])('accepts %s', (_name, header, sampled) => {
    expect(parseTraceparent(header)).toEqual({ traceId, spanId, sampled })
  })

  it.each([
    ['nothing', undefined],
    ['an empty header', ''],
    ['version ff', `ff-${traceId}-${spanId}-01`],
    ['extra fields in version 00', `00-${traceId}-${spanId}-01-x`],
    ['a later version followed by other characters', `01-${traceId}-${spanId}-01x`],
    ['upper case', `00-${traceId.toUpperCase()}-${spanId}-01`],
    ['a zero trace id', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['a zero span id', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['two header lines', `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01`],
    ['a short id', `00-${traceId.slice(1)}-${spanId}-01`],
    ['50 kB', `01-${traceId}-${spanId}-01-${'x'.repeat(50_000)}`],
  ])('rejects %s', (_name, header) => {
    expect(parseTraceparent(header)).toBeNull()
  })
})

describe('tracer', () => {
  it('ECO-05 joins a server span, its child and the rendered header into one trace', async () => {
    const exporter = new InMemorySpanExporter()
    const tracer = createTracer({ service: 'svc', exporter })
    const incoming = parseTraceparent(`00-${traceId}-${spanId}-01`)
    const server = tracer.startSpan('GET /a', incoming, { role: 'server' })
    const client = tracer.startSpan('pricing.quote', server.trace, { role: 'client' })
    const header = renderTraceparent(client.trace)
    client.fail('timeout')
    client.end()
    server.end()
    await tracer.flush()

    const [inner, outer] = exporter.getFinishedSpans()
    expect(outer?.parentSpanContext?.spanId).toBe(spanId)
    expect(inner?.parentSpanContext?.spanId).toBe(outer?.spanContext().spanId)
    expect(header).toBe(`00-${traceId}-${inner?.spanContext().spanId}-01`)
    expect(inner?.attributes['error.type']).toBe('timeout')
    await tracer[Symbol.asyncDispose]()
  })

  it('begins a sampled trace without a parent', () => {
    const tracer = createTracer({ service: 'svc', exporter: new InMemorySpanExporter() })
    const { trace } = tracer.startSpan('job', null)
    expect(parseTraceparent(renderTraceparent(trace))).toEqual(trace)
    expect(trace.sampled).toBe(true)
  })

  it('records nothing for unsampled traces but propagates the trace', async () => {
    const exporter = new InMemorySpanExporter()
    const tracer = createTracer({ service: 'svc', exporter })
    const span = tracer.startSpan('quiet', { traceId, spanId, sampled: false })
    span.end()
    await tracer.flush()
    expect(exporter.getFinishedSpans()).toEqual([])
    expect(span.trace).toMatchObject({ traceId, sampled: false })
    expect(span.trace.spanId).not.toBe(spanId)
  })

  it('samples at the configured rate', () => {
    const rateOf = (sampleRatio: number) => {
      const tracer = createTracer({
        service: 's',
        exporter: new InMemorySpanExporter(),
        sampleRatio,
      })
      const hits = Array.from({ length: 4000 }, () => tracer.shouldSample()).filter(Boolean)
      return hits.length / 4000
    }
    expect(rateOf(0)).toBe(0)
    expect(rateOf(1)).toBe(1)
    expect(Math.abs(rateOf(0.25) - 0.25)).toBeLessThan(0.05)
    expect(noopTracer.shouldSample()).toBe(false)
  })
})
