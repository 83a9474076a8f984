import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import { type CatalogueTable, readCatalogue } from './catalogue.ts'

/**
 * Where the Drizzle definitions and the live schema disagree: tables, columns with type,
 * nullability and presence of a default, and index names. Empty means no drift.
 */
export async function schemaDrift(
  url: string,
  schema: string,
  tables: readonly PgTable[],
): Promise<string[]> {
  const live = new Map((await readCatalogue(url, schema)).tables.map((each) => [each.name, each]))
  const findings: string[] = []
  for (const table of tables) {
    const config = getTableConfig(table)
    const actual = live.get(config.name)
    live.delete(config.name)
    if (actual === undefined) findings.push(`${config.name}: not in the database`)
    else findings.push(...compareTable(table, actual))
  }
  return [...findings, ...[...live.keys()].map((name) => `${name}: not in the definitions`)]
}

function compareTable(table: PgTable, actual: CatalogueTable): string[] {
  const config = getTableConfig(table)
  const declaredIndexes = [
    ...config.indexes.map((each) => each.config.name ?? 'without a name'),
    ...config.uniqueConstraints.map((each) => each.name ?? 'without a name'),
  ]
  const actualIndexes = actual.indexes
    .map(({ name }) => name)
    .filter((name) => !isKey(name, actual))
  const declared = [...config.columns.map(describeDeclared), ...declaredIndexes.map(nameIndex)]
  const found = [...actual.columns.map(describeActual), ...actualIndexes.map(nameIndex)]
  return [
    ...without(declared, found).map((each) => `${config.name}: only declared: ${each}`),
    ...without(found, declared).map((each) => `${config.name}: only in the database: ${each}`),
  ]
}

function describeDeclared(column: PgColumn): string {
  const isGenerated = column.generated !== undefined || column.generatedIdentity !== undefined
  return describeColumn({
    name: column.name,
    type: column.getSQLType().replace(/^varchar/, 'character varying'),
    notNull: column.notNull,
    hasDefault: column.hasDefault || isGenerated,
  })
}

function describeActual(column: CatalogueTable['columns'][number]): string {
  return describeColumn({
    ...column,
    hasDefault: column.default !== null || column.generated !== '',
  })
}

interface ColumnFacts {
  readonly name: string
  readonly type: string
  readonly notNull: boolean
  readonly hasDefault: boolean
}

function describeColumn({ name, type, notNull, hasDefault }: ColumnFacts): string {
  return `column ${name} ${type}${notNull ? ' not null' : ''}${hasDefault ? ' default' : ''}`
}

function nameIndex(name: string): string {
  return `index ${name}`
}

function isKey(indexName: string, table: CatalogueTable): boolean {
  return table.constraints.some(({ name, type }) => type === 'p' && name === indexName)
}

function without(items: readonly string[], others: readonly string[]): string[] {
  return items.filter((item) => !others.includes(item))
}
