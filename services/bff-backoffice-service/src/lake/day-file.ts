import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Database, Tx } from '@melmastoon/chassis/db'
import { withDuckDb } from './duckdb.ts'
import type { Checks, LakeColumn, LakeDay } from './lake.ts'
import { convertToParquet, selectFileChecks } from './parquet-sql.ts'
import { allowLongStatements, type Page, readOneSnapshot, selectPage } from './source-sql.ts'

/** About three megabytes; no more than two pages of a day are in memory. */
const PAGE_ROWS = 10_000

type Sink = (lines: string) => Promise<unknown>

/** Reads a day in one snapshot, page by page, ordered by id. */
export function scanDay(
  db: Pick<Database, 'transaction'>,
  day: LakeDay,
  { sink, signal }: { readonly sink?: Sink; readonly signal?: AbortSignal | undefined } = {},
): Promise<Checks> {
  return db.transaction(async (tx) => {
    await tx.query(readOneSnapshot())
    await tx.query(allowLongStatements())
    return scanIn(tx, day, { sink, signal })
  })
}

/** In the caller's transaction. */
export async function scanIn(
  tx: Tx,
  day: LakeDay,
  { sink, signal }: { readonly sink?: Sink | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Checks> {
  const read = (after: string | null) => tx.query(selectPage(day, { after, limit: PAGE_ROWS }))
  let checks: Checks = { rows: 0, minId: null, maxId: null, hashSum: '0' }
  let reading: Promise<Page[]> | null = read(null)
  while (reading !== null) {
    signal?.throwIfAborted()
    const [page]: Page[] = await reading
    if (page === undefined || page.rows === 0) return checks
    checks = add(checks, page)
    // Postgres prepares the next page while this one is written.
    reading = page.rows < PAGE_ROWS ? null : read(page.maxId)
    reading?.catch(() => undefined)
    if (page.lines !== null) await sink?.(page.lines)
  }
  return checks
}

function add(all: Checks, page: Checks): Checks {
  return {
    rows: all.rows + page.rows,
    minId: all.minId ?? page.minId,
    maxId: page.maxId,
    hashSum: String(BigInt(all.hashSum) + BigInt(page.hashSum)),
  }
}

/** Rows as CSV, complete on disk. */
export async function writeLines(
  db: Pick<Database, 'transaction'>,
  day: LakeDay,
  { path, signal }: { readonly path: string; readonly signal?: AbortSignal | undefined },
): Promise<Checks> {
  const file = await open(path, 'w')
  try {
    return await scanDay(db, day, { sink: (lines) => file.writeFile(lines), signal })
  } finally {
    await file.close()
  }
}

/** @returns the SHA-256 of the file, which is on disk. */
export async function writeParquet(
  columns: readonly LakeColumn[],
  files: { readonly from: string; readonly to: string },
): Promise<string> {
  await withDuckDb((db) => db.run(convertToParquet(columns, files)))
  await syncFile(files.to)
  return sha256Of(files.to)
}

/** On a new connection, from the stored columns. Throws when the file cannot be read. */
export async function readChecks(columns: readonly LakeColumn[], path: string): Promise<Checks> {
  const row = await withDuckDb(async (db) => {
    const result = await db.runAndReadAll(selectFileChecks(columns, path))
    return result.getRowObjectsJson()[0]
  })
  const text = (name: string) => {
    const value = row?.[name]
    return typeof value === 'string' ? value : null
  }
  return {
    rows: Number(text('rows')),
    minId: text('min_id'),
    maxId: text('max_id'),
    hashSum: text('hash_sum') ?? '',
  }
}

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Also of a folder, after a rename in it. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** The files of one attempt. */
export async function workFiles(
  folder: string,
  { day }: LakeDay,
  attempt: number,
): Promise<{ readonly lines: string; readonly parquet: string }> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, `.tmp-${day}-${attempt}`)
  return { lines: `${path}.csv`, parquet: `${path}.parquet` }
}

/** Those of all attempts. */
export async function removeWorkFiles(folder: string, { day }: LakeDay): Promise<void> {
  const names = await readdir(folder).catch(() => [])
  const stale = names.filter((name) => name.startsWith(`.tmp-${day}-`))
  for (const name of stale) await rm(join(folder, name), { force: true })
}
