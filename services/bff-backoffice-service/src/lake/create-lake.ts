import { resolve } from 'node:path'
import { createBigQueryLake } from './bigquery-lake.ts'
import type { AuditLake } from './lake.ts'
import { createParquetLake } from './parquet-lake.ts'

export interface LakeSettings {
  readonly kind: 'parquet' | 'bigquery'
  readonly folder: string
  readonly project: string
  readonly dataset: string
}

/** Connects to nothing until a day is exported. */
export function createLake({ kind, folder, project, dataset }: LakeSettings): AuditLake {
  const root = resolve(folder)
  if (kind === 'parquet') return createParquetLake(root)
  return createBigQueryLake({ project, dataset, folder: root })
}
