import type { Catalogue } from './catalogue.ts'
import { describeTable } from './dump-schema.ts'

/**
 * Where tables of the reference differ in another catalogue; its further tables are not compared.
 * Both must use the same schema name, because definitions contain it.
 */
export function compareTables(reference: Catalogue, other: Catalogue): string[] {
  const others = new Map(other.tables.map((table) => [table.name, describeTable(table)]))
  return reference.tables.flatMap((table) => {
    const found = others.get(table.name)
    if (found === undefined) return [`${table.name}: missing`]
    const expected = describeTable(table)
    return [
      ...expected.filter((line) => !found.includes(line)).map((line) => `- ${line}`),
      ...found.filter((line) => !expected.includes(line)).map((line) => `+ ${line}`),
    ].map((line) => `${table.name}: ${line}`)
  })
}
