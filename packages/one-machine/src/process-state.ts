import { setTimeout as sleep } from 'node:timers/promises'
import { isAlive, readProcFile } from './process-identity.ts'

/** The command line of a process; null when it has ended. */
export function commandLine(pid: number): string[] | null {
  const line = readProcFile(pid, 'cmdline')
  return line === null ? null : line.split('\0').filter((word) => word !== '')
}

export async function waitForExit(pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 10) {
    if (!isAlive(pid)) return true
    await sleep(10)
  }
  return !isAlive(pid)
}

/** A process that has already ended is ignored. */
export function sendSignal(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (errorCode(error) !== 'ESRCH') throw error
  }
}

export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined
  return typeof error.code === 'string' ? error.code : undefined
}
