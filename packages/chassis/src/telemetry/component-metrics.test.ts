import { problem } from '@melmastoon/domain'
import { expect, it } from 'vitest'
import { UpstreamRejection } from '../upstream/index.ts'
import {
  cacheMetrics,
  flagsMetrics,
  limitMetrics,
  poolMetrics,
  sectionMetrics,
  telemetryMetrics,
  upstreamMetrics,
} from './component-metrics.ts'
import { createErrorReporter } from './error-reporter.ts'
import { silentLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'

it('counts work that components discard, reject or decide without Redis', async () => {
  const metrics = createMetrics('bff_x')
  const errors = createErrorReporter({ logger: silentLogger, metrics })
  cacheMetrics(metrics, errors).onStoreError(new Error('Connection is closed.'))
  telemetryMetrics(metrics).onDropped(3)
  flagsMetrics(metrics).onRejected()
  limitMetrics(metrics, 'search').onDegraded()
  const text = await metrics.render()
  expect(text).toContain('bff_x_cache_store_errors_total 1')
  expect(text).toContain('bff_x_background_errors_total{component="cache-store"} 1')
  expect(text).toContain('bff_x_telemetry_dropped_total 3')
  expect(text).toContain('bff_x_flags_rejected_total 1')
  expect(text).toContain('bff_x_limit_degraded_total{limit="search"} 1')
})

it('counts a failed section by its problem code, and logs a defect as an error', async () => {
  const metrics = createMetrics('bff_x')
  const lines: unknown[] = []
  const record = (level: string) => (fields: object) => void lines.push({ level, ...fields })
  const logger = { ...silentLogger, warn: record('warn'), error: record('error') }
  const report = sectionMetrics(metrics, createErrorReporter({ logger, metrics }))
  report('prices', problem('MELMASTOON.BFF.UPSTREAM_TIMEOUT'))
  report('prices', new TypeError('amount is undefined'))
  report('prices', new UpstreamRejection('pricing', 404, {}))
  expect(lines).toMatchObject([
    { level: 'warn', component: 'section', job: 'prices' },
    { level: 'error', component: 'section', job: 'prices', error: expect.any(TypeError) },
  ])
  const text = await metrics.render()
  const failures = 'bff_x_section_failures_total{section="prices",error_code='
  expect(text).toContain(`${failures}"MELMASTOON.BFF.UPSTREAM_TIMEOUT"} 1`)
  expect(text).toContain(`${failures}"unexpected"} 1`)
  expect(text).toContain(`${failures}"absent"} 1`)
})

it('reports the state of the pools at the time of the scrape', async () => {
  const metrics = createMetrics('bff_x')
  const state = { total: 3, idle: 3 }
  poolMetrics(metrics, { app: { poolState: () => state } })
  state.idle = 1
  const text = await metrics.render()
  expect(text).toContain('bff_x_postgres_pool_inuse{pool="app"} 2')
  expect(text).toContain('bff_x_postgres_pool_total{pool="app"} 3')
})

it('logs where an upstream broke its contract, once a minute for each operation', async () => {
  const metrics = createMetrics('bff_x')
  const logged: unknown[] = []
  const logger = { ...silentLogger, warn: (fields: unknown) => logged.push(fields) }
  const { onDrift } = upstreamMetrics(metrics, 'search', logger)
  for (const operation of ['query', 'query', 'suggest']) onDrift(operation, '/total type')
  expect(logged).toMatchObject([
    { upstream: 'search', operation: 'query', reason: '/total type' },
    { upstream: 'search', operation: 'suggest' },
  ])
  expect(await metrics.render()).toContain('operation="query"} 2')
})
