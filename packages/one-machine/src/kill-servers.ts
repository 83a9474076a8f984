import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { findLivePostgres } from './postgres/postmaster-file.ts'
import { sendSignal, waitForDeath } from './process-state.ts'
import { findLiveRedis } from './redis/redis-record.ts'
import { prepareServerFolder } from './server-folder.ts'
import { findLiveProgram } from './start-program.ts'

/**
 * Ends whatever server a dead run left on a data folder, with no regard for its data. Answers with
 * the folder the data is really in, which the caller may want to remove.
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
    await waitForDeath(server.pid, 5_000)
  }
  return folder
}
