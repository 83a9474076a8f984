import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  identifyProcess,
  isRunning,
  type ProcessIdentity,
  parseIdentity,
} from '@melmastoon/one-machine'
import { signalGroup } from './child-process.ts'
import { leftByAnother } from './messages.ts'

/** The processes of this supervisor, on disk, so that the next one stops them after a SIGKILL. */
export interface RunRecord {
  add(pid: number): void
  remove(pid: number): void
}

export function createRunRecord(runFolder: string): RunRecord {
  const running = new Map<number, ProcessIdentity>()
  const save = () => writeRecord(runFolder, [...running.values()])
  save()
  return {
    add(pid) {
      const identity = identifyProcess(pid)
      if (identity !== null) running.set(pid, identity)
      save()
    },
    remove(pid) {
      if (running.delete(pid)) save()
    },
  }
}

/** Stops the processes of a killed supervisor and returns their number. */
export async function stopLeftovers(runFolder: string, graceMs: number): Promise<number> {
  const left = readRecord(runFolder).filter(isRunning)
  for (const { pid } of left) signalGroup(pid, 'SIGTERM')
  const giveUpAt = performance.now() + graceMs
  while (left.some(isRunning) && performance.now() < giveUpAt) await sleep(20)
  for (const identity of left.filter(isRunning)) signalGroup(identity.pid, 'SIGKILL')
  while (left.some(isRunning) && performance.now() < giveUpAt + graceMs) await sleep(20)
  const unstoppable = left.filter(isRunning)
  if (unstoppable.length > 0) throw leftByAnother(unstoppable.map(({ pid }) => pid))
  return left.length
}

/** Written to a temporary file and renamed, so that a crash leaves no partial file. */
function writeRecord(runFolder: string, running: readonly ProcessIdentity[]): void {
  const file = recordFile(runFolder)
  writeFileSync(`${file}.new`, JSON.stringify(running))
  renameSync(`${file}.new`, file)
}

function readRecord(runFolder: string): ProcessIdentity[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(recordFile(runFolder), 'utf8'))
    if (!Array.isArray(parsed)) return []
    return parsed.map(parseIdentity).filter((identity) => identity !== null)
  } catch {
    return []
  }
}

const recordFile = (runFolder: string) => join(runFolder, 'services.json')
