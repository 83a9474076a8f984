import { join } from 'node:path'
import type { BigQuery, BigQueryOptions, Table } from '@google-cloud/bigquery'
import { BIGQUERY_TYPES, mergeDay, selectTableChecks } from './bigquery-sql.ts'
import {
  type AuditLake,
  type Checks,
  type DayFile,
  isEqual,
  type LakeColumn,
  type LakeDay,
  type LakeTable,
} from './lake.ts'

export interface BigQueryLakeOptions {
  readonly project: string
  readonly dataset: string
  /** For files before they are loaded. */
  readonly folder: string
  /** Another endpoint and its credentials: for tests. */
  readonly client?: Pick<BigQueryOptions, 'apiEndpoint' | 'authClient'>
}

const CONFLICT = 409

/**
 * One table per table of ours, partitioned by month. A day is loaded into a staging table of its
 * own, which truncates nothing else, and merged by id; the job's id contains the hash of the file,
 * so that BigQuery rejects a repeated load. The rows themselves are the only record of a day.
 */
export function createBigQueryLake(options: BigQueryLakeOptions): AuditLake {
  let client: Promise<BigQuery> | undefined
  const open = () => {
    client ??= openClient(options)
    return client
  }
  const pathOf = ({ name }: LakeTable) => `${options.project}.${options.dataset}.${name}`
  const checksOf = async (day: LakeDay, columns: readonly LakeColumn[]): Promise<Checks> => {
    const query = selectTableChecks(day, columns, pathOf(day.table))
    const [rows] = await (await open()).query({ query })
    return readRow(rows[0])
  }
  return {
    workFolder: ({ table }) => join(options.folder, `table=${table.name}`),
    async upload(file: DayFile) {
      const bigQuery = await open()
      const dataset = bigQuery.dataset(options.dataset)
      await ensureTable(dataset.table(file.table.name), file.table)
      // An earlier run may have ended after the merge.
      if (isEqual(file.content, await checksOf(file, file.content.columns))) return
      const staging = dataset.table(stagingName(file))
      await loadOnce(bigQuery, staging, file)
      const from = `${options.project}.${options.dataset}.${stagingName(file)}`
      await bigQuery.query({
        query: mergeDay(file.content.columns, { from, into: pathOf(file.table) }),
      })
      // The merge adds what is missing: a row that is there with other values stays as it is.
      if (!isEqual(file.content, await checksOf(file, file.content.columns))) {
        throw new TypeError(`BigQuery has ${file.table.name} ${file.day} with other rows`)
      }
      await staging.delete({ ignoreNotFound: true })
    },
    publish: () => Promise.resolve(),
    // A day whose load was interrupted is loaded again: that adds only what is missing.
    published: () => Promise.resolve(null),
    reread: (day, columns) => checksOf(day, columns),
  }
}

async function openClient({ project, client = {} }: BigQueryLakeOptions): Promise<BigQuery> {
  const { BigQuery: Client } = await import('@google-cloud/bigquery')
  return new Client({ projectId: project, ...client })
}

const stagingName = ({ table, day }: LakeDay) => `staging_${table.name}_${day.replaceAll('-', '')}`

async function ensureTable(remote: Table, { columns, timeColumn }: LakeTable): Promise<void> {
  const [exists] = await remote.exists()
  if (exists) return addColumns(remote, columns)
  const field = timeColumn ?? 'occurred_at'
  const options = { schema: schemaOf(columns), timePartitioning: { type: 'MONTH', field } }
  await remote.create(options).catch(unlessConflict)
}

/** Columns that were added since; older rows have null there. */
async function addColumns(remote: Table, columns: readonly LakeColumn[]): Promise<void> {
  const [metadata] = await remote.getMetadata()
  const fields = metadata.schema.fields as readonly { readonly name: string }[]
  const known = new Set(fields.map(({ name }) => name))
  const added = schemaOf(columns).filter(({ name }) => !known.has(name))
  if (added.length > 0) await remote.setMetadata({ schema: { fields: [...fields, ...added] } })
}

function schemaOf(columns: readonly LakeColumn[]) {
  return columns.map(({ name, type }) => ({
    name,
    type: BIGQUERY_TYPES[type],
    mode: name === 'id' ? 'REQUIRED' : 'NULLABLE',
  }))
}

/** Ids cannot be used twice, not even after the staging table was deleted. */
const LOADS_MAX = 9

/** A load that ran before under the same id counts, if its table is still there. */
async function loadOnce(bigQuery: BigQuery, staging: Table, file: DayFile): Promise<void> {
  const { table, day, content } = file
  const name = `${table.name}_${day.replaceAll('-', '')}_${content.sha256}`
  for (let load = 1; load <= LOADS_MAX; load += 1) {
    const jobId = load === 1 ? name : `${name}_${load}`
    if (await tryLoad(staging, file.path, jobId)) return
    await bigQuery.job(jobId).promise()
    const [exists] = await staging.exists()
    if (exists) return
  }
  throw new TypeError(`${table.name} ${day} was loaded too often`)
}

/** False when there is a job with this id. */
async function tryLoad(staging: Table, path: string, jobId: string): Promise<boolean> {
  const metadata = {
    jobId,
    sourceFormat: 'PARQUET',
    writeDisposition: 'WRITE_TRUNCATE',
    createDisposition: 'CREATE_IF_NEEDED',
  }
  try {
    await staging.load(path, metadata)
    return true
  } catch (error) {
    unlessConflict(error)
    return false
  }
}

function unlessConflict(error: unknown): void {
  const code = error instanceof Error && 'code' in error ? Number(error.code) : 0
  if (code !== CONFLICT) throw error
}

function readRow(row: unknown): Checks {
  const values = new Map(Object.entries(row ?? {}))
  const text = (name: string) => {
    const value: unknown = values.get(name)
    return typeof value === 'string' ? value : null
  }
  return {
    rows: Number(text('row_count')),
    minId: text('min_id'),
    maxId: text('max_id'),
    hashSum: text('hash_sum') ?? '',
  }
}
