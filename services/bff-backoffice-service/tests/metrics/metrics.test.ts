import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BackofficeWithFakes, startWithFakes } from '../harness/start-with-fakes.ts'

const PREFIX = 'bff_backoffice_'

/** Those of the observability document. */
const DOCUMENTED = [
  'request_total',
  'request_duration_seconds',
  'request_inflight',
  'errors_total',
  'outbox_depth',
  'outbox_lag_seconds',
  'circuit_breaker_state',
  'cache_hit_total',
  'cache_miss_total',
  'singleflight_followers_total',
  'composed_reads_total',
  'dashboard_partial_total',
  'lock_action_total',
  'mfa_attestation_total',
  'dpop_replay_blocked_total',
  'sse_active_connections',
  'sse_events_pushed_total',
  'device_status_count',
  'session_active_count',
]

/** What the targets of the same document are measured with, apart from request durations. */
const OF_TARGETS = [
  'dashboard_first_byte_seconds',
  'force_logout_seconds',
  'sse_first_event_seconds',
]

let running: BackofficeWithFakes
let reported: ReadonlySet<string>
beforeAll(async () => {
  running = await startWithFakes()
  const text = await running.service.ctx.metrics.render()
  const names = [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = '']) => name)
  reported = new Set(names.map((name) => name.replace(PREFIX, '')))
})
afterAll(() => running[Symbol.asyncDispose]())

const missing = (names: readonly string[]) => names.filter((name) => !reported.has(name))

describe('a started service reports', () => {
  it('the metrics of the observability document', () => {
    expect(missing([...DOCUMENTED, ...OF_TARGETS])).toEqual([])
  })

  it('every metric that its alerts use', () => {
    const rules = readFileSync(new URL('../../alerts.yml', import.meta.url), 'utf8')
    const used = [...rules.matchAll(/\bbff_backoffice_([a-z0-9_]+)/g)].map(([, name = '']) =>
      name.replace(/_(bucket|sum)$/, ''),
    )
    expect(used.length).toBeGreaterThan(40)
    expect(missing([...new Set(used)])).toEqual([])
  })
})
