import { readFileSync } from 'node:fs'

/**
 * Process ids are reused, so a recorded process is identified by its pid and its start tick (field
 * 22 of /proc/<pid>/stat). Without /proc only the pid is compared.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTicks: string
}

/**
 * Null for a process that does not exist. A zombie counts as ended: in a container it may never be
 * reaped.
 */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!existsProcess(pid)) return null
  const stat = readProcFile(pid, 'stat')
  if (stat === null) return { pid, startTicks: '' }
  // The second field is the program name in parentheses, which may itself contain spaces and
  // parentheses.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ended = fields[0] === 'Z' || fields[0] === 'X'
  return ended ? null : { pid, startTicks: fields[19] ?? '' }
}

export function isAlive(pid: number): boolean {
  return identifyProcess(pid) !== null
}

export function isRunning(identity: ProcessIdentity): boolean {
  return identifyProcess(identity.pid)?.startTicks === identity.startTicks
}

export function parseIdentity(value: unknown): ProcessIdentity | null {
  if (typeof value !== 'object' || value === null) return null
  if (!('pid' in value) || !('startTicks' in value)) return null
  const { pid, startTicks } = value
  if (typeof pid !== 'number' || !Number.isInteger(pid) || pid <= 1) return null
  return typeof startTicks === 'string' ? { pid, startTicks } : null
}

/** Also true for a zombie. */
export function existsProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A file of /proc about a process; null when the process has ended or there is no /proc. */
export function readProcFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
