import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { existsProcess, isAlive } from '../process-identity.ts'
import { commandLine } from '../process-state.ts'

export interface PostmasterFile {
  readonly pid: number
  readonly port: number
  readonly ready: boolean
}

/** Above the highest pid of Linux (2^22), so no process can have it. */
const impossiblePid = 4_194_305

/** Lines of postmaster.pid: 1 process, 4 port, 8 state (`ready` once it accepts connections). */
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
  return commandLine(file.pid)?.includes(cluster) === true ? file : null
}

/**
 * After a crash the recorded pid may belong to another process, or to the dead server as a zombie
 * that is not reaped yet, and Postgres would not start because of it. Only the pid is replaced: the
 * file also names the shared memory by which Postgres detects running backends of the dead server,
 * so it must not be removed.
 */
export function disarmStalePostmasterFile(cluster: string): void {
  const file = readPostmasterFile(cluster)
  if (file === null || !existsProcess(file.pid) || findLivePostgres(cluster) !== null) return
  const path = join(cluster, 'postmaster.pid')
  const rest = readFileSync(path, 'utf8').split('\n').slice(1)
  writeFileSync(path, [String(impossiblePid), ...rest].join('\n'))
}
