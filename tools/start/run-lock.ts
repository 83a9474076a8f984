import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identifyProcess, isRunning, parseIdentity } from '@melmastoon/one-machine'
import { alreadyRunning } from './messages.ts'

/**
 * One supervisor per data folder. The lock identifies its holder, so the lock of a killed
 * supervisor is detected and replaced.
 */
export function takeRunLock(runFolder: string): Disposable {
  const file = join(runFolder, 'supervisor.json')
  const mine = JSON.stringify(identifyProcess(process.pid))
  while (!createLock(file, mine)) clearStaleLock(file)
  return {
    [Symbol.dispose]() {
      if (readLock(file) === mine) rmSync(file, { force: true })
    },
  }
}

function createLock(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}

function clearStaleLock(file: string): void {
  const held = readLock(file)
  if (held === null) return
  const holder = parseIdentity(parseJson(held))
  if (holder !== null && isRunning(holder)) throw alreadyRunning(holder.pid)
  removeExactly(file, held)
}

/** Two starts may both find the stale lock: each removes it only if it is still the same lock. */
function removeExactly(file: string, expected: string): void {
  const aside = `${file}.${process.pid}`
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  const moved = readLock(aside)
  if (moved !== expected && moved !== null) createLock(file, moved)
  rmSync(aside, { force: true })
}

function readLock(file: string): string | null {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
