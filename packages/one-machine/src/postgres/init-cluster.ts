import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { serverEnvironment } from '../config/environment.ts'
import { MachineError } from '../machine-error.ts'
import { runCommand } from '../run-command.ts'
import { moveIntoPlace, type ServerFolder } from '../server-folder.ts'
import type { PostgresPrograms } from './postgres-programs.ts'

export function clusterIn(folder: ServerFolder): string {
  return join(folder.path, 'data')
}

/**
 * Created next to its final place and moved there as a whole: a crash leaves no partial cluster.
 */
export async function initCluster(
  folder: ServerFolder,
  programs: PostgresPrograms,
  options: { durable: boolean },
): Promise<void> {
  const cluster = clusterIn(folder)
  if (existsSync(join(cluster, 'PG_VERSION'))) return
  const staging = `${cluster}.new-${randomUUID()}`
  const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  if (!options.durable) flags.push('--no-sync')
  const result = await runCommand(programs.initdb, [`--pgdata=${staging}`, ...flags], {
    env: serverEnvironment({ LD_LIBRARY_PATH: programs.libraries }),
    cwd: folder.path,
    identity: folder.identity,
  })
  if (result.exitCode !== 0) throw initFailed(folder, result.output)
  moveIntoPlace(staging, cluster)
}

function initFailed(folder: ServerFolder, output: string): MachineError {
  const message = output.split('\n').find((line) => /error|fatal|permission/i.test(line))
  const sentence = `Postgres could not create its data folder below ${folder.path} (${message?.trim() ?? 'initdb failed'}): check free space and permissions there.`
  return new MachineError('START_FAILED', sentence, { cause: output })
}
