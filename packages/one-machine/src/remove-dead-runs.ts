import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dataRoot } from './config/environment.ts'
import { killServers } from './kill-servers.ts'
import { isAlive } from './process-identity.ts'

/**
 * Runs that were killed could not clean up; their folder is named `<kind>-<pid>`. Kills their
 * servers and removes their data.
 */
export async function removeDeadRuns(kind: string): Promise<void> {
  for (const entry of listFolder(dataRoot())) {
    const [name, pid] = entry.split(/-(?=\d+$)/)
    if (name !== kind || pid === undefined || isAlive(Number(pid))) continue
    const folder = join(dataRoot(), entry)
    for (const server of listFolder(folder)) removeFolder(await killServers(join(folder, server)))
    removeFolder(folder)
  }
}

/** Folders of other users cannot be removed; that is not an error. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 })
  } catch {
    return
  }
}

function listFolder(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}
