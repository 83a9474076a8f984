import { mkdir, open, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { crashPoint } from '@melmastoon/chassis/lifecycle'
import { Type } from 'typebox'
import { Check } from 'typebox/value'
import { readChecks, sha256Of, syncFile } from './day-file.ts'
import type { AuditLake, DayFile, LakeColumn, LakeDay, LakeTable, Published } from './lake.ts'

const Manifest = Type.Object({
  sha256: Type.String(),
  rows: Type.Integer(),
  minId: Type.Union([Type.String(), Type.Null()]),
  maxId: Type.Union([Type.String(), Type.Null()]),
  hashSum: Type.String(),
  columns: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[a-z_]+$' }),
      type: Type.Enum(['text', 'integer', 'timestamp', 'json']),
    }),
  ),
})

const SUFFIX = '.manifest.json'

/**
 * Files `table=T/month=M/D.parquet`, each with a manifest. A file without a manifest is not part of
 * the lake: readers use manifests only.
 */
export function createParquetLake(root: string): AuditLake {
  const folderOf = ({ table, day }: LakeDay) =>
    join(root, `table=${table.name}`, `month=${day.slice(0, 7)}`)
  const fileOf = (day: LakeDay) => join(folderOf(day), `${day.day}.parquet`)
  const manifestOf = (day: LakeDay) => join(folderOf(day), `${day.day}${SUFFIX}`)
  return {
    workFolder: folderOf,
    upload: () => Promise.resolve(),
    async publish(file: DayFile) {
      await rename(file.path, fileOf(file))
      await syncFile(folderOf(file))
      crashPoint('lake.after_rename')
      await writeManifest(manifestOf(file), file.content)
      await syncFile(folderOf(file))
    },
    published: (day) => readManifest(manifestOf(day)),
    async reread(day: LakeDay, columns: readonly LakeColumn[]) {
      const manifest = await readManifest(manifestOf(day))
      if (manifest === null) return null
      const path = fileOf(day)
      const sha256 = await sha256Of(path).catch(() => null)
      if (sha256 !== manifest.sha256) return null
      return await readChecks(columns, path)
    },
  }
}

async function writeManifest(path: string, content: Published): Promise<void> {
  const draft = `${path}.tmp`
  const file = await open(draft, 'w')
  try {
    await file.writeFile(`${JSON.stringify(content)}\n`)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}

async function readManifest(path: string): Promise<Published | null> {
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return null
  const value: unknown = JSON.parse(text)
  if (!Check(Manifest, value)) throw new TypeError('not a manifest of the audit lake')
  return value
}

/** The published files of a table, oldest first. */
export async function listFiles(root: string, { name }: LakeTable): Promise<string[]> {
  const folder = join(root, `table=${name}`)
  await mkdir(folder, { recursive: true })
  const files: string[] = []
  for (const month of (await readdir(folder)).toSorted()) {
    const names = (await readdir(join(folder, month))).toSorted()
    const manifests = names.filter((each) => each.endsWith(SUFFIX))
    files.push(
      ...manifests.map((each) => join(folder, month, `${each.slice(0, -SUFFIX.length)}.parquet`)),
    )
  }
  return files
}
