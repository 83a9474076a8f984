import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A zombie counts as dead: in a container nobody may ever collect it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (errorCode(error) !== 'EPERM') return false
  }
  const stat = readProc(pid, 'stat')
  return stat === null || stat.slice(stat.lastIndexOf(')') + 2)[0] !== 'Z'
}

/** The words a process was started with; null when it is gone. */
export function commandWords(pid: number): string[] | null {
  const line = readProc(pid, 'cmdline')
  return line === null ? null : line.split('\0').filter((word) => word !== '')
}

export async function waitForDeath(pid: number, timeoutMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < timeoutMs; waitedMs += 10) {
    if (!isAlive(pid)) return true
    await sleep(10)
  }
  return !isAlive(pid)
}

/** A process that is already gone has nothing left to be told. */
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

function readProc(pid: number, file: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return null
  }
}
