import type { Trigger } from './triggers.ts'

const INTRODUCTION = `# Sandbox triggers

Faults can be set in the control room for all calls. A single call to the
[platform sandbox](../services/platform-sandbox) can also trigger a scenario, with a header or with
one of the values below. A header with an unknown name is ignored; a fault with an invalid value
(\`slow=soon\`) is rejected. The control room shows the same table.

Faults can also be set by scripts, for one operation and a number of calls:

\`\`\`sh
curl -X POST http://127.0.0.1:8090/admin/api/upstreams/reservation/break \\
  -H 'content-type: application/json' \\
  -d '{"kind": "unanswered", "operation": "confirm", "times": 1}'
\`\`\`

\`POST /admin/api/tenants/{tenantId}/reservations/{reservationId}/expire-hold\` with the body \`{}\`
expires a hold now. A payment that arrives after the hold: \`+93700000004\` as phone number, or
“Pay after the hold on the room has expired” on the test page. Webhooks that are lost, late, doubled
or out of order: one of the suffixes below, a choice on the test page, or the setting for all
payments in the control room.

[Staff accounts](staff-accounts.md) lists who can sign in, and how to lose the response to a refresh,
revoke a session or rotate the signing key.
`

/** The table as a documentation page. */
export function renderTriggers(triggers: readonly Trigger[]): string {
  const rows = triggers.map(({ value, where, does }) => [`\`${value}\``, where, does])
  const table = [['Trigger', 'Where', 'Effect'], ...rows]
  const widths = [0, 1, 2].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = table
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`
  return [INTRODUCTION, line(head), rule, ...body.map(line), ''].join('\n')
}
