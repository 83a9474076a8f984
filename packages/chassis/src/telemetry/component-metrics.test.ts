import { expect, it } from 'vitest'
import {
  cacheMetrics,
  flagsMetrics,
  limitMetrics,
  poolMetrics,
  telemetryMetrics,
  upstreamMetrics,
} from './component-metrics.ts'
import { silentLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'

it('counts what components give up, refuse or decide without Redis', async () => {
  const metrics = createMetrics('bff_x')
  cacheMetrics(metrics).onStoreError()
  telemetryMetrics(metrics).onDropped(3)
  flagsMetrics(metrics).onRefused()
  limitMetrics(metrics, 'search').onDegraded()
  const text = await metrics.render()
  expect(text).toContain('bff_x_cache_store_errors_total 1')
  expect(text).toContain('bff_x_telemetry_dropped_total 3')
  expect(text).toContain('bff_x_flags_refused_total 1')
  expect(text).toContain('bff_x_limit_degraded_total{limit="search"} 1')
})

it('tells of the pools as they are when somebody asks', async () => {
  const metrics = createMetrics('bff_x')
  const state = { total: 3, idle: 3 }
  poolMetrics(metrics, { app: { poolState: () => state } })
  state.idle = 1
  const text = await metrics.render()
  expect(text).toContain('bff_x_postgres_pool_inuse{pool="app"} 2')
  expect(text).toContain('bff_x_postgres_pool_total{pool="app"} 3')
})

it('says where an upstream broke its contract, once a minute for each operation', async () => {
  const metrics = createMetrics('bff_x')
  const told: unknown[] = []
  const logger = { ...silentLogger, warn: (fields: unknown) => told.push(fields) }
  const { onDrift } = upstreamMetrics(metrics, 'search', logger)
  for (const operation of ['query', 'query', 'suggest']) onDrift(operation, '/total type')
  expect(told).toMatchObject([
    { upstream: 'search', operation: 'query', reason: '/total type' },
    { upstream: 'search', operation: 'suggest' },
  ])
  expect(await metrics.render()).toContain('operation="query"} 2')
})
