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

/**
 * The same for a server with a process per connection. The last value of every process is
 * stored, so that the CPU time of a process that has ended stays in the sum.
 */
export class TreeCpuTime {
  readonly #pid: number
  readonly #lastUs = new Map<string, number>()

  constructor(pid: number) {
    this.#pid = pid
  }

  readUs(): number {
    for (const pid of [this.#pid, ...childrenOf(this.#pid)]) {
      // A process id may be used again; with its start time it is unique.
      const startTime = statFields(pid)[19]
      if (startTime !== undefined) this.#lastUs.set(`${pid} ${startTime}`, cpuTimeUs(pid))
    }
    return [...this.#lastUs.values()].reduce((sum, usedUs) => sum + usedUs, 0)
  }
}

function childrenOf(parent: number): number[] {
  return list('/proc')
    .map(Number)
    .filter((pid) => Number(statFields(pid)[1]) === parent)
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
