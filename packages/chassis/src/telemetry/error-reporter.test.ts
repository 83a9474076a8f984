import { problem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { DeliveryPostponed } from '../bus/index.ts'
import { createErrorReporter } from './error-reporter.ts'
import { createLogger } from './logger.ts'
import { createMetrics } from './metrics.ts'

function reporting() {
  const lines: Record<string, unknown>[] = []
  const write = (text: string) => void lines.push(JSON.parse(text) as Record<string, unknown>)
  const logger = createLogger({ service: 'test', destination: { write } })
  const metrics = createMetrics('test')
  let nowMs = 0
  const clock = { now: () => new Date(), nowMs: () => nowMs, monotonicMs: () => nowMs }
  const errors = createErrorReporter({ logger, metrics, clock })
  return { errors, lines, metrics, wait: (ms: number) => (nowMs += ms) }
}

const refused = () => Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })

describe('background errors', () => {
  it('name the component and the job, and are counted by component', async () => {
    const { errors, lines, metrics } = reporting()
    errors.report('jobs', new TypeError('x is undefined'), 'prune-inbox')
    errors.for('cache-redis')(refused())
    expect(lines).toMatchObject([
      { component: 'jobs', job: 'prune-inbox', severity: 'ERROR' },
      { component: 'cache-redis', severity: 'WARNING' },
    ])
    const text = await metrics.render()
    expect(text).toContain('test_background_errors_total{component="jobs"} 1')
    expect(text).toContain('test_background_errors_total{component="cache-redis"} 1')
  })

  it.each([
    ['a problem', problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')],
    ['a refused connection', refused()],
    ['a Redis that is not connected', new Error('Connection is closed.')],
    ['a Redis that cannot save', new Error('MISCONF Redis is configured to save RDB snapshots')],
    ['a Redis without replicas', new Error('NOREPLICAS Not enough good replicas to write.')],
    ['two refused addresses', new AggregateError([refused(), refused()])],
    ['a postponed delivery', new DeliveryPostponed('later', { cause: refused() })],
  ])('%s is a warning', (_, error) => {
    const { errors, lines } = reporting()
    errors.report('relay', error)
    expect(lines).toMatchObject([{ severity: 'WARNING' }])
  })

  it.each([
    ['a TypeError', new TypeError('x')],
    ['a problem with status 500', problem('MELMASTOON.GENERAL.INTERNAL')],
    ['a delivery postponed by a TypeError', new DeliveryPostponed('l', { cause: new TypeError() })],
    ['a thrown string', 'text'],
  ])('%s is an error', (_, error) => {
    const { errors, lines } = reporting()
    errors.report('relay', error)
    expect(lines).toMatchObject([{ severity: 'ERROR' }])
  })

  it('log a repeated outage once every ten seconds, and every defect', () => {
    const { errors, lines, wait } = reporting()
    for (let at = 0; at < 3; at += 1) errors.report('relay', refused())
    errors.report('inbox', refused())
    expect(lines).toHaveLength(2)
    wait(10_000)
    errors.report('relay', refused())
    errors.report('relay', new TypeError('x'))
    errors.report('relay', new TypeError('x'))
    expect(lines).toHaveLength(5)
  })
})
