import type { PartResult } from '../harness/run-part.ts'
import type { RowResult } from '../harness/run-row.ts'
import { isSame, median, pairedRatio, spread, valuesOf } from '../harness/statistics.ts'
import { evaluateGoal } from './evaluate-goal.ts'
import { formatNumber, renderTable } from './render-table.ts'

/** One line per goal: the limit, the floor, our value, the peer, and whether it is met. */
export function renderGoals(results: readonly RowResult[]): string {
  const head = [
    'row',
    'what',
    'limit',
    'floor',
    'us',
    'peer',
    'measured',
    'goal',
    'met / missed by',
  ]
  const lines = results.flatMap(({ row, parts }) =>
    parts.flatMap((result) =>
      (result.part.goals ?? []).map((goal) => {
        const { measured, summary, columns } = evaluateGoal(goal, result)
        const { limit, floor, us, peer } = columns
        const bound = goal.atMost === undefined ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`
        const sign = goal.against === undefined ? '' : ' ×'
        return [
          row.id,
          goal.text,
          ...[limit, floor, us, peer].map((value) => formatNumber(value)),
          formatNumber(measured),
          bound + sign,
          summary,
        ]
      }),
    ),
  )
  return renderTable(head, lines)
}

export function renderPart(result: PartResult): string {
  const { part, samples, absent, failed } = result
  const base = part.variants.find(({ role }) => role === 'floor') ?? part.variants[0]
  const head = ['variant', 'role', ...part.metrics.map(({ label }) => label), 'ratio', 'spread']
  const lines = part.variants.map(({ name, role }) => {
    const own = samples.get(name)
    if (own === undefined)
      return [`${name} (${absent.get(name) ?? failed.get(name) ?? 'no numbers'})`, role]
    const values = part.metrics.map(({ key, digits }) =>
      formatNumber(median(valuesOf(own, key)), digits),
    )
    const ratio = pairedRatio(part.compare, own, samples.get(base?.name ?? '') ?? [])
    const same = name !== base?.name && isSame(ratio) ? ' same' : ''
    const range = `${formatNumber(spread(valuesOf(own, part.compare)) * 100, 0)} %`
    return [name, role, ...values, formatNumber(ratio) + same, range]
  })
  return renderTable(head, lines)
}

export function renderDetails(results: readonly RowResult[]): string {
  return results
    .flatMap(({ row, parts }) => [
      `### ${row.id}. ${row.title}`,
      ...parts.map((result) => `**${result.part.title}**\n\n${renderPart(result)}`),
    ])
    .join('\n\n')
}
