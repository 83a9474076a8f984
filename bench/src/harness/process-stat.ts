import { readdirSync, readFileSync } from 'node:fs'

const TICK_US = 10_000

/** One reading of a process. */
export interface ProcessStat {
  readonly pid: number
  readonly parent: number
  /** A process id may be used again; with the start time it is unique. */
  readonly key: string
  /** CPU of all its threads, ended ones included, to a tick of user and of system time. */
  readonly ticksUs: number
  /** CPU of its children that have ended and for which it has waited, and of theirs. */
  readonly reapedUs: number
}

export function listProcesses(): number[] {
  return list('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid))
}

/** Null when there is no such process. */
export function readProcess(pid: number): ProcessStat | null {
  const stat = read(`/proc/${pid}/stat`)
  if (stat === null) return null
  // After the command name, which may contain spaces: state, parent, …
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) * TICK_US
  return {
    pid,
    parent: Number(fields[1]),
    key: `${pid} ${fields[19]}`,
    ticksUs: ticks(11),
    reapedUs: ticks(13),
  }
}

export function childrenOf(parent: number): number[] {
  return listProcesses().filter((pid) => readProcess(pid)?.parent === parent)
}

/** The name of its program. */
export function processName(pid: number): string {
  return read(`/proc/${pid}/comm`)?.trim() ?? ''
}

/** The threads that run now are exact; only the ticks include those that have ended. */
export function usedUs({ pid, ticksUs }: ProcessStat): number {
  return Math.max(threadsUs(pid), ticksUs)
}

function threadsUs(pid: number): number {
  const threads = list(`/proc/${pid}/task`)
  const texts = threads.map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`))
  return texts.reduce((sum, text) => sum + Number(text?.split(' ')[0] ?? 0), 0) / 1000
}

export function residentMib(pid: number): number {
  const line = read(`/proc/${pid}/status`)?.match(/VmRSS:\s+(\d+) kB/)
  return Number(line?.[1] ?? Number.NaN) / 1024
}

function list(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
