import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Instance, startPostgres, startRedis } from '@melmastoon/one-machine'

/** Deletes the data of earlier runs. Downloaded programs and secrets stay. */
export async function wipeData(dataFolder: string): Promise<void> {
  const postgres = join(dataFolder, 'postgres')
  await wipe(postgres, () => startPostgres({ dataDir: postgres, port: 0 }))
  for (const name of ['redis-sessions', 'redis-caches']) {
    const dataDir = join(dataFolder, name)
    await wipe(dataDir, () => startRedis({ dataDir, port: 0, policy: 'noeviction' }))
  }
  await rm(join(dataFolder, 'logs'), { recursive: true, force: true })
}

/**
 * A server may still use the folder, or have its data elsewhere: taking it over returns its data
 * folder and stops it. If the data is too damaged to start with, only the folder is removed.
 */
async function wipe(folder: string, takeOver: () => Promise<Instance>): Promise<void> {
  if (!existsSync(folder)) return
  const instance = await takeOver().catch(() => null)
  await instance?.stop()
  if (instance !== null) await rm(instance.dataDir, { recursive: true, force: true })
  await rm(folder, { recursive: true, force: true })
}
