import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@melmastoon/chassis/clock'
import type { Database } from '@melmastoon/chassis/db'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import {
  readChecks,
  removeWorkFiles,
  scanDay,
  workFiles,
  writeLines,
  writeParquet,
} from './day-file.ts'
import { type AuditLake, type DayFile, isEqual, type LakeDay, type Published } from './lake.ts'
import { beginAttempt, lockAttempt, markVerified } from './lake-export-sql.ts'
import { countUnsettled, queryLong, selectWriters } from './source-sql.ts'

export interface ExportDeps {
  /** As the role of jobs: all tenants. */
  readonly db: Database
  readonly lake: AuditLake
  readonly clock: Clock
  /** How long open transactions of the day are waited for. */
  readonly writersMs?: number
}

/**
 * `waiting`: a transaction that wrote rows is open. `held`: rows of the day will still change.
 * `superseded`: another exporter has taken over.
 */
export type DayResult = 'exported' | 'waiting' | 'held' | 'superseded'

const WRITERS_MS = 2_000
const POLL_MS = 100

/**
 * Nothing is deleted here. Every step can be repeated: a file becomes part of the lake only when it
 * was read back and is equal to Postgres.
 */
export async function exportDay(
  deps: ExportDeps,
  day: LakeDay,
  signal?: AbortSignal,
): Promise<DayResult> {
  if (!(await areWritersDone(deps, day))) return 'waiting'
  if (await isHeld(deps, day)) return 'held'
  const [begun] = await deps.db.query(beginAttempt(day))
  if (begun === undefined) return 'superseded'
  crashPoint('lake.after_begin')
  try {
    return await attemptDay(deps, day, { ...begun, signal })
  } catch (error) {
    // A successor removes the files of the attempts before it.
    if (await isSuperseded(deps, day, begun.attempt)) return 'superseded'
    throw error
  }
}

interface Attempt {
  readonly attempt: number
  readonly signal: AbortSignal | undefined
}

async function attemptDay(deps: ExportDeps, day: LakeDay, attempt: Attempt): Promise<DayResult> {
  const recovered = await recover(deps, day, attempt.signal)
  const file = recovered ?? (await writeFile(deps, day, attempt))
  const isNew = recovered === null && file.content.rows > 0
  if (isNew) await deps.lake.upload(file)
  if (!(await complete(deps, file, { ...attempt, isNew }))) return 'superseded'
  await removeWorkFiles(deps.lake.workFolder(day), day)
  return 'exported'
}

async function isSuperseded({ db }: ExportDeps, day: LakeDay, attempt: number): Promise<boolean> {
  return (await db.query(lockAttempt(day, attempt))).length === 0
}

/** Ids are not committed in their order: what counts is that older transactions have ended. */
async function areWritersDone({ db, writersMs }: ExportDeps, day: LakeDay): Promise<boolean> {
  const endMs = performance.now() + (writersMs ?? WRITERS_MS)
  const open = async () => (await db.query(selectWriters(day))).map(({ writer }) => writer)
  let pending = await open()
  while (pending.length > 0 && performance.now() < endMs) {
    await sleep(POLL_MS)
    const still = new Set(await open())
    pending = pending.filter((writer) => still.has(writer))
  }
  return pending.length === 0
}

async function isHeld({ db }: ExportDeps, day: LakeDay): Promise<boolean> {
  const { unsettled } = day.table
  if (unsettled === undefined) return false
  const [row] = await queryLong(db, countUnsettled(day, unsettled))
  return (row?.rows ?? 0) > 0
}

/** An exporter that died after it had published: the day is complete if Postgres still agrees. */
async function recover(
  { db, lake }: ExportDeps,
  day: LakeDay,
  signal: AbortSignal | undefined,
): Promise<DayFile | null> {
  const content = await lake.published(day)
  if (content === null || !isEqual(content, await lake.reread(day, content.columns))) return null
  const table = { ...day.table, columns: content.columns }
  const source = await scanDay(db, { ...day, table }, { signal })
  return isEqual(source, content) ? { ...day, path: '', content } : null
}

async function writeFile(
  { db, lake }: ExportDeps,
  day: LakeDay,
  { attempt, signal }: Attempt,
): Promise<DayFile> {
  const { columns } = day.table
  const files = await workFiles(lake.workFolder(day), day, attempt)
  const checks = await writeLines(db, day, { path: files.lines, signal })
  crashPoint('lake.after_scan')
  if (checks.rows === 0)
    return { ...day, path: files.lines, content: { ...checks, sha256: '', columns } }
  const sha256 = await writeParquet(columns, { from: files.lines, to: files.parquet })
  await rm(files.lines)
  crashPoint('lake.after_write')
  const content: Published = { ...checks, sha256, columns }
  if (!isEqual(checks, await readChecks(columns, files.parquet))) {
    throw new TypeError(`the file of ${day.table.name} ${day.day} differs from Postgres`)
  }
  crashPoint('lake.after_read_back')
  return { ...day, path: files.parquet, content }
}

/** The row is locked: of two exporters one publishes, so file and manifest are one pair. */
async function complete(
  { db, lake }: ExportDeps,
  file: DayFile,
  { attempt, isNew }: { readonly attempt: number; readonly isNew: boolean },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const [locked] = await tx.query(lockAttempt(file, attempt))
    if (locked === undefined) return false
    if (isNew) await lake.publish(file)
    crashPoint('lake.after_manifest')
    await tx.query(markVerified(file, file.content))
    return true
  })
}
