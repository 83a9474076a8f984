import { idToUuid, type TenantId } from '@melmastoon/domain'
import type { TestEnvironment } from '@melmastoon/testkit'
import { type CatalogueTable, readCatalogue } from '@melmastoon/testkit/schema'

/** `CHECK ((state = ANY (ARRAY['open'::text, …` */
const ONE_OF = /\((\w+) = ANY \(ARRAY\['([^']+)'/

/** The first allowed value of columns with a list of them. */
function restricted({ constraints }: CatalogueTable): Map<string, string> {
  const found = constraints.map(({ definition }) => ONE_OF.exec(definition))
  return new Map(
    found.flatMap((match) => (match === null ? [] : [[match[1] ?? '', match[2] ?? '']])),
  )
}

const BY_TYPE: Readonly<Record<string, () => unknown>> = {
  uuid: () => crypto.randomUUID(),
  text: () => `x-${crypto.randomUUID()}`,
  integer: () => 1,
  smallint: () => 1,
  bigint: () => 1,
  boolean: () => false,
  'text[]': () => [],
  date: () => new Date().toISOString().slice(0, 10),
  jsonb: () => '{}',
  'timestamp with time zone': () => new Date().toISOString(),
}

export interface Insert {
  readonly text: string
  readonly values: readonly unknown[]
}

/** A row with the required columns of a table, from the catalogue. */
export function insertFor(table: CatalogueTable, tenantId: TenantId): Insert {
  const required = table.columns.filter(
    (column) => column.notNull && column.default === null && column.generated === '',
  )
  const columns = [
    'tenant_id',
    ...required.map(({ name }) => name).filter((n) => n !== 'tenant_id'),
  ]
  const values = columns.map((name) => valueOf(table, name, tenantId))
  const places = columns.map((_, at) => `$${at + 1}`)
  const text = `insert into ${table.name} (${columns.join(', ')}) values (${places.join(', ')})`
  return { text, values }
}

function valueOf(table: CatalogueTable, name: string, tenantId: TenantId): unknown {
  if (name === 'tenant_id') return idToUuid(tenantId)
  // An id of now, which belongs to a partition.
  if (table.name === 'operator_activity' && name === 'id') return ulidNow()
  const type = table.columns.find((column) => column.name === name)?.type ?? ''
  const make = BY_TYPE[type]
  if (make === undefined) throw new TypeError(`${table.name}.${name}: no value of type ${type}`)
  return restricted(table).get(name) ?? make()
}

function ulidNow(): string {
  const hex = Date.now().toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}${crypto.randomUUID().slice(13)}`
}

/** The tables of the service that have rows of tenants. */
export async function tenantTables({ adminUrl, schema }: TestEnvironment) {
  const { tables } = await readCatalogue(adminUrl, schema)
  const routed = new Set(['outbox', 'outbox_published', 'outbox_archive'])
  return tables.filter(
    ({ name, columns, isPartition }) =>
      !isPartition && !routed.has(name) && columns.some((column) => column.name === 'tenant_id'),
  )
}
