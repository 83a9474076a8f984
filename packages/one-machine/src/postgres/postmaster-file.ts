import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isAlive } from '../process-identity.ts'
import { commandWords } from '../process-state.ts'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

/** Above the highest number Linux gives (2^22), so no process can ever have it. */
const impossiblePid = 4_194_305

/** Lines of postmaster.pid: 1 process, 4 port, 8 state (`ready` once it takes connections). */
export function readPostmasterFile(cluster: string): PostmasterFile | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n')
    const [pid, port] = [Number(lines[0]), Number(lines[3])]
    if (!Number.isInteger(pid) || pid <= 0) return null
    return { pid, port, ready: lines[7]?.trim() === 'ready' }
  } catch {
    return null
  }
}

export function findLivePostgres(cluster: string): PostmasterFile | null {
  const file = readPostmasterFile(cluster)
  if (file === null || !isAlive(file.pid)) return null
  return commandWords(file.pid)?.includes(cluster) === true ? file : null
}

/**
 * After a crash the file's number may belong to another process by now, and Postgres would refuse
 * to start for its sake. Only the number is replaced: the file also names the shared memory by
 * which Postgres notices backends of the dead server that still run, so it must not be removed.
 */
export function disarmStalePostmasterFile(cluster: string): void {
  const file = readPostmasterFile(cluster)
  if (file === null || !isAlive(file.pid) || findLivePostgres(cluster) !== null) return
  const path = join(cluster, 'postmaster.pid')
  const rest = readFileSync(path, 'utf8').split('\n').slice(1)
  writeFileSync(path, [String(impossiblePid), ...rest].join('\n'))
}
