import { readFileSync } from 'node:fs'

/**
 * Pids are used again, so a recorded process is known by its pid and the tick it started at
 * (field 22 of /proc/<pid>/stat). Where there is no /proc the pid alone must do.
 */
export interface ProcessIdentity {
  readonly pid: number
  readonly startTicks: string
}

/** Null for a process that is gone. A zombie is: in a container nobody may ever collect it. */
export function identifyProcess(pid: number): ProcessIdentity | null {
  if (!existsProcess(pid)) return null
  const stat = readProcFile(pid, 'stat')
  if (stat === null) return { pid, startTicks: '' }
  // The second field is the program's name in brackets, and may itself hold blanks and brackets.
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

function existsProcess(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A file of /proc about a process; null when the process is gone or there is no /proc. */
export function readProcFile(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
