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
  const declaredColumns = config.columns.map(describeDeclared)
  const actualColumns = actual.columns.map(describeActual)
  const declaredIndexes = [
    ...config.indexes.map((each) => each.config.name ?? 'unnamed index'),
    ...config.uniqueConstraints.map((each) => each.name ?? 'unnamed constraint'),
  ]
  const actualIndexes = actual.indexes
    .map(({ name }) => name)
    .filter((name) => !isKey(name, actual))
  return [
    ...difference(config.name, 'column', declaredColumns, actualColumns),
    ...difference(config.name, 'index', declaredIndexes, actualIndexes),
  ]
}

function describeDeclared(column: PgColumn): string {
  const type = column.getSQLType()
  const isGenerated = column.generated !== undefined || column.generatedIdentity !== undefined
  const hasDefault = column.hasDefault || isGenerated
  return describe(
    column.name,
    type.replace(/^varchar/, 'character varying'),
    column.notNull,
    hasDefault,
  )
}

function describeActual(column: CatalogueTable['columns'][number]): string {
  const hasDefault = column.default !== null || column.generated !== ''
  return describe(column.name, column.type, column.notNull, hasDefault)
}

function describe(...[name, type, notNull, hasDefault]: [string, string, boolean, boolean]) {
  return `${name} ${type}${notNull ? ' not null' : ''}${hasDefault ? ' default' : ''}`
}

function isKey(indexName: string, table: CatalogueTable): boolean {
  return table.constraints.some(({ name, type }) => type === 'p' && name === indexName)
}

function difference(
  ...[table, kind, declared, actual]: [string, string, readonly string[], readonly string[]]
): string[] {
  const onlyIn = (side: readonly string[], other: readonly string[], where: string) =>
    side
      .filter((each) => !other.includes(each))
      .map((each) => `${table}: only ${where}: ${kind} ${each}`)
  return [...onlyIn(declared, actual, 'declared'), ...onlyIn(actual, declared, 'in the database')]
}
