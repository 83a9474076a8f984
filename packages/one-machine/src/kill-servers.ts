import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findLivePostgres } from './postgres/postmaster-file.ts'
import { sendSignal, waitForExit } from './process-state.ts'
import { findLiveRedis } from './redis/redis-record.ts'
import { prepareServerFolder } from './server-folder.ts'
import { findLiveProgram } from './start-program.ts'

/**
 * Kills the server that a dead run left on a data folder, without saving its data. Returns the
 * actual data folder, which the caller may want to remove.
 */
export async function killServers(dataDir: string): Promise<string> {
  if (!existsSync(resolve(dataDir))) return resolve(dataDir)
  const folder = prepareServerFolder(dataDir).path
  const servers = [
    findLivePostgres(join(folder, 'data')),
    await findLiveRedis(folder),
    findLiveProgram(folder),
  ]
  for (const server of servers) {
    if (server === null) continue
    sendSignal(server.pid, 'SIGKILL')
    await waitForExit(server.pid, 5_000)
  }
  return folder
}
