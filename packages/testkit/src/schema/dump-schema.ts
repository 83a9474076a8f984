import { type CatalogueTable, readCatalogue } from './catalogue.ts'

/**
 * The schema as text, the same for the same catalogue: a service commits it, and a test that
 * compares the two shows every change of the database in review.
 */
export async function dumpSchema(url: string, schema: string): Promise<string> {
  const { tables, functions, views } = await readCatalogue(url, schema)
  const blocks = [
    `schema ${schema}`,
    ...tables.map(renderTable),
    ...views.map(
      (view) => `view ${view.name}${view.securityInvoker ? ' invoker' : ''}
${indent(view.definition)}`,
    ),
    ...functions.map((each) => `function ${each.name}\n${indent(each.definition)}`),
  ]
  return `${blocks.join('\n\n')}\n`
}

function renderTable(table: CatalogueTable): string {
  return [`table ${table.name}`, ...describeTable(table).map((line) => `  ${line}`)].join('\n')
}

/** One line for each property of the table. */
export function describeTable(table: CatalogueTable): string[] {
  const security = table.rowSecurity ? `on${table.forceRowSecurity ? ', forced' : ''}` : 'off'
  return [
    `owner ${table.owner}; row security ${security}`,
    ...table.columns.map((column) => `column ${renderColumn(column)}`),
    ...table.constraints.map(({ name, definition }) => `constraint ${name} ${definition}`),
    ...table.indexes.map(({ definition }) => definition),
    ...table.policies.map(renderPolicy),
    ...renderGrants(table),
  ]
}

function renderColumn(column: CatalogueTable['columns'][number]): string {
  const parts = [column.name, column.type]
  if (column.notNull) parts.push('not null')
  if (column.generated === 's') parts.push(`generated as (${column.default}) stored`)
  else if (column.generated !== '') parts.push('generated as identity')
  else if (column.default !== null) parts.push(`default ${column.default}`)
  return parts.join(' ')
}

function renderPolicy(policy: CatalogueTable['policies'][number]): string {
  const kind = policy.permissive ? 'permissive' : 'restrictive'
  const head = `policy ${policy.name} ${kind} ${policy.command} to ${policy.roles.join(', ')}`
  return `${head} using ${oneLine(policy.using)} check ${oneLine(policy.check)}`
}

function renderGrants(table: CatalogueTable): string[] {
  const byRole = Map.groupBy(table.grants, ({ role }) => role)
  return [...byRole].map(
    ([role, grants]) => `grant ${role}: ${grants.map((each) => each.privilege).join(', ')}`,
  )
}

function oneLine(expression: string | null): string {
  return expression === null ? 'none' : expression.replaceAll(/\s+/g, ' ')
}

function indent(text: string): string {
  return text.trimEnd().replaceAll(/^/gm, '  ')
}
