import { readOperations } from '@melmastoon/testkit'
import { expect, it } from 'vitest'
import { FIELD_GROUPS, FIELD_TABLE, seesFields } from '../../src/access/field-table.ts'
import { OPERATOR_ROLES } from '../../src/access/operator.ts'
import {
  type Grant,
  PUBLIC_OPERATIONS,
  ROLE_TABLE,
  WITHOUT_TOKEN,
} from '../../src/access/role-table.ts'
import { contracts } from '../harness/backoffice-environment.ts'

const DOCUMENT = '../../../../docs/roles.md'
const BASE = '/bff/backoffice/v1'
const SHOWN: Readonly<Record<Grant, string>> = { all: 'yes', lead: 'leads', none: '–' }

const INTRODUCTION = `# Roles of staff

Which role may use which operation of the back office. \`leads\`: only operators who lead a team. An operation that the role
does not allow returns 403 \`ROLE_FORBIDDEN\`. Which fields of boards, offline packs and
dashboards a role sees is in the second table; of activities, everybody except management sees their own only, and on the
maintenance board housekeeping sees its own reports only. Every operation also requires the property to be in the scope of
the operator; outside of it everything is 404.

The tables are generated from \`role-table.ts\` and \`field-table.ts\` in \`services/bff-backoffice-service/src/access\`:
\`npm test -- services/bff-backoffice-service/tests/service/roles.test.ts -u\` writes them, and the same test without \`-u\`
fails when they differ.
`

const FIELDS = `## Fields

A field that the role does not see is missing. An operator with several roles sees what any of them sees.
`

function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [head = [], ...body] = rows
  const rule = widths.map((width) => '-'.repeat(width))
  return [head, rule, ...body].map(line).join('\n')
}

it('STAFF-BRD-01 the documented roles are those of the code, for every route', async () => {
  const operations = readOperations(await contracts.openApi())
    .filter(({ id }) => !WITHOUT_TOKEN.has(id) && !PUBLIC_OPERATIONS.has(id))
    .toSorted((a, b) => a.path.localeCompare(b.path))
  const rows = operations.map(({ id, method, path }) => {
    const grants = ROLE_TABLE[id]
    if (grants === undefined) throw new Error(`${id} has no row`)
    const shown = OPERATOR_ROLES.map((role) => SHOWN[grants[role]])
    return [`\`${method} ${path.replace(BASE, '')}\``, ...shown]
  })
  const unused = Object.keys(ROLE_TABLE).filter((id) => !operations.some((each) => each.id === id))
  expect(unused).toEqual([])
  const table = tableOf([['route', ...OPERATOR_ROLES.map((role) => `\`${role}\``)], ...rows])
  const fields = tableOf([
    ['fields', ...OPERATOR_ROLES.map((role) => `\`${role}\``)],
    ...FIELD_GROUPS.map((group) => [
      FIELD_TABLE[group].fields,
      ...OPERATOR_ROLES.map((role) => (seesFields(group, { roles: [role] }) ? 'yes' : '–')),
    ]),
  ])
  const document = `${INTRODUCTION}\n${table}\n\n${FIELDS}\n${fields}\n`
  await expect(document).toMatchFileSnapshot(DOCUMENT)
})
