import { readdirSync, readFileSync } from 'node:fs'

const TICK_US = 10_000

/** Microseconds of CPU that a process has used in all its threads. */
export function cpuTimeUs(pid: number): number {
  const threads = list(`/proc/${pid}/task`)
  const precise = threads.map((thread) => read(`/proc/${pid}/task/${thread}/schedstat`))
  if (precise.every((text) => text !== null)) {
    return precise.reduce((sum, text) => sum + Number(text.split(' ')[0]), 0) / 1000
  }
  const fields = statFields(pid)
  return (Number(fields[11]) + Number(fields[12])) * TICK_US
}

/** The same for a server with a process per connection, without processes that have ended. */
export function treeCpuTimeUs(pid: number): number {
  const children = list('/proc').filter((entry) => Number(statFields(Number(entry))[1]) === pid)
  return [pid, ...children.map(Number)].reduce((sum, member) => sum + cpuTimeUs(member), 0)
}

export function residentMib(pid: number): number {
  const line = read(`/proc/${pid}/status`)?.match(/VmRSS:\s+(\d+) kB/)
  return Number(line?.[1] ?? Number.NaN) / 1024
}

/** The fields after the command name, which may contain spaces: state, parent, … */
function statFields(pid: number): string[] {
  if (!Number.isInteger(pid)) return []
  const stat = read(`/proc/${pid}/stat`)
  return stat === null ? [] : stat.slice(stat.lastIndexOf(')') + 2).split(' ')
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
