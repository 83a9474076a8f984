import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8')
const rules = read('../../alerts.yml')
const runbooks = read('../../../../docs/runbooks/README.md')

/** The expression of an alert, in one line. */
function expressionOf(alert: string): string {
  const rule = rules.split(/^\s*- alert: /m).find((part) => part.startsWith(`${alert}\n`)) ?? ''
  const [expression = ''] = rule.split(/^\s*(?:for|labels): /m)
  return expression.replaceAll(/\s+/g, ' ')
}

const ROUTE = '/bff/consumer/v1'

/** The objectives of the service overview (D16): an alert, and what its expression contains. */
const OBJECTIVES = [
  ['ConsumerSearchSlow', [`route="${ROUTE}/search"`, '0.95', '> 0.6', '0.99', '> 1.1']],
  ['ConsumerDetailDegraded', [`route="${ROUTE}/hotels/:propertyId"`, '0.95', '> 0.5']],
  ['ConsumerHandoffFailing', [`route="${ROUTE}/handoff/`, '0.99', '> 0.25']],
  ['ConsumerErrorsBurnFast', ['request_total{status_class="5xx"}[1h]', '> 14.4 * 0.001']],
  ['ConsumerErrorsBurnSlow', ['request_total{status_class="5xx"}[6h]', '> 6 * 0.001']],
  ['ConsumerCacheHitsLow', ['cache_hit_total{cache="search"}', '< 0.6']],
  ['ConsumerBotFalsePositives', ['bot_challenges_total{outcome="passed"}', '> 0.005']],
  ['ConsumerTelemetryUndelivered', ['outbox_published_total', '0.0001', '> bool 60']],
] as const

it.each(OBJECTIVES)('D16 %s alerts on its objective and is documented', (alert, parts) => {
  for (const part of parts) expect(expressionOf(alert)).toContain(part)
  expect(runbooks).toContain(`\`${alert}\``)
})
