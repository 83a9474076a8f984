import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { DuckDBInstance } from '@duckdb/node-api'

interface Received {
  readonly method: string
  readonly path: string
  readonly body: Buffer
  readonly type: string
}

interface Response {
  readonly status: number
  readonly body: unknown
}

const notFound = { status: 404, body: { error: { code: 404, message: 'Not found' } } }
const duplicate = {
  status: 409,
  body: { error: { code: 409, message: 'Already Exists', errors: [{ reason: 'duplicate' }] } },
}

/**
 * The part of BigQuery's REST API that the lake uses, with DuckDB as the engine: tables, load jobs
 * by multipart upload with unique job ids, and queries.
 */
export async function startFakeBigQuery() {
  const folder = await mkdtemp(join(tmpdir(), 'mel-bigquery-'))
  const instance = await DuckDBInstance.create(':memory:')
  const db = await instance.connect()
  const jobs = new Map<string, string>()
  const requests: string[] = []

  const tables = async () => {
    const result = await db.runAndReadAll('select table_name from duckdb_tables()')
    return new Set(result.getRowObjectsJson().map((row) => row['table_name']))
  }

  const fieldsOf = async (table: string) => {
    const text = `select column_name as name from duckdb_columns() where table_name = '${table}'`
    return (await db.runAndReadAll(text)).getRowObjectsJson()
  }

  async function addColumns(table: string, fields: readonly { name: string; type: string }[]) {
    const known = new Set((await fieldsOf(table)).map(({ name }) => name))
    for (const { name, type } of fields.filter((field) => !known.has(field.name))) {
      await db.run(`alter table "${table}" add column ${name} ${toDuckDb(type)}`)
    }
  }

  async function load({ body, type }: Received): Promise<Response> {
    const [job, file] = multipart(body, type)
    const { jobReference, configuration } = JSON.parse(job?.toString() ?? '{}')
    const { jobId } = jobReference as { jobId: string }
    if (jobs.has(jobId)) return duplicate
    const { destinationTable, sourceFormat, writeDisposition } = configuration.load
    if (sourceFormat !== 'PARQUET' || writeDisposition !== 'WRITE_TRUNCATE') return notFound
    const path = join(folder, `${jobs.size}.parquet`)
    await writeFile(path, file ?? '')
    jobs.set(jobId, destinationTable.tableId)
    await db.run(
      `create or replace table "${destinationTable.tableId}" as select * from read_parquet('${path}')`,
    )
    return { status: 200, body: { jobReference, status: { state: 'DONE' } } }
  }

  async function query(text: string): Promise<Response> {
    const result = await db.runAndReadAll(toDuckDb(text))
    const names = result.columnNames()
    const rows = result.getRowObjectsJson().map((row) => ({
      f: names.map((name) => ({ v: row[name] ?? null })),
    }))
    const fields = names.map((name) => ({ name, type: 'STRING', mode: 'NULLABLE' }))
    const jobReference = { projectId: 'p', jobId: `query_${requests.length}` }
    const body = {
      jobComplete: true,
      jobReference,
      schema: { fields },
      rows,
      totalRows: String(rows.length),
    }
    return { status: 200, body }
  }

  async function handle(received: Received): Promise<Response> {
    const { method, path, body } = received
    if (path.startsWith('/upload/')) return load(received)
    const [, kind = '', name = ''] =
      /\/projects\/[^/]+\/(?:datasets\/[^/]+\/)?(\w+)(?:\/([^/?]+))?/.exec(path) ?? []
    if (kind === 'queries' && method === 'POST') return query(JSON.parse(body.toString()).query)
    if (kind === 'jobs' && method === 'GET') {
      if (!jobs.has(name)) return notFound
      return { status: 200, body: { jobReference: { jobId: name }, status: { state: 'DONE' } } }
    }
    if (kind === 'tables' && method === 'POST') {
      const { tableReference, schema } = JSON.parse(body.toString())
      if ((await tables()).has(tableReference.tableId)) return duplicate
      const columns = schema.fields.map(
        (field: { name: string; type: string }) => `${field.name} ${toDuckDb(field.type)}`,
      )
      await db.run(`create table "${tableReference.tableId}" (${columns.join(', ')})`)
      return { status: 200, body: { tableReference } }
    }
    if (!(await tables()).has(name)) return notFound
    if (method === 'DELETE') await db.run(`drop table "${name}"`)
    if (method === 'PATCH') await addColumns(name, JSON.parse(body.toString()).schema.fields)
    const schema = { fields: await fieldsOf(name) }
    const found = { tableReference: { tableId: name }, schema }
    return { status: method === 'DELETE' ? 204 : 200, body: found }
  }

  const server = createServer((request, response) => {
    void receive(request)
      .then((received) => {
        requests.push(`${received.method} ${received.path}`)
        return handle(received)
      })
      .catch((error: unknown) => ({
        status: 400,
        body: { error: { code: 400, message: String(error) } },
      }))
      .then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(status === 204 ? undefined : JSON.stringify(body))
      })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    /** Job ids in their order. */
    jobs: () => [...jobs.keys()],
    run: (text: string) => db.run(text),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
      db.closeSync()
      instance.closeSync()
      await rm(folder, { recursive: true })
    },
  }
}

async function receive(request: IncomingMessage): Promise<Received> {
  const body = await buffer(request)
  const { method = '', url = '', headers } = request
  return { method, path: url, body, type: headers['content-type'] ?? '' }
}

/** The bodies of the parts. */
function multipart(body: Buffer, type: string): Buffer[] {
  const boundary = /boundary="?([^";]+)/.exec(type)?.[1] ?? ''
  const parts: Buffer[] = []
  let at = body.indexOf(`--${boundary}`)
  for (;;) {
    const next = body.indexOf(`--${boundary}`, at + 1)
    if (next < 0) return parts
    const part = body.subarray(at, next)
    const start = part.indexOf('\r\n\r\n') + 4
    parts.push(part.subarray(start, part.length - 2))
    at = next
  }
}

/** The expressions that the lake uses, in the dialect of DuckDB. */
function toDuckDb(text: string): string {
  return text
    .replaceAll(/`[^`]*\.([^`.]+)`/g, '"$1"')
    .replaceAll('TO_HEX(MD5(', '(md5(')
    .replaceAll('UNIX_MICROS(', 'epoch_us(')
    .replaceAll('BIGNUMERIC', 'HUGEINT')
    .replaceAll('INT64', 'BIGINT')
    .replaceAll(/\bSTRING\b/g, 'VARCHAR')
    .replaceAll(/\bTIMESTAMP\b/g, 'TIMESTAMPTZ')
}
