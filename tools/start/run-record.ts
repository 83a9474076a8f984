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

/** The processes this supervisor started, on disk, for whoever has to tidy up after a SIGKILL. */
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

/** Ends what a killed supervisor left behind, and says how many processes that were. */
export async function stopLeftovers(runFolder: string, graceMs: number): Promise<number> {
  const left = readRecord(runFolder).filter(isRunning)
  for (const { pid } of left) signalGroup(pid, 'SIGTERM')
  const giveUpAt = performance.now() + graceMs
  while (left.some(isRunning) && performance.now() < giveUpAt) await sleep(20)
  for (const identity of left.filter(isRunning)) signalGroup(identity.pid, 'SIGKILL')
  while (left.some(isRunning) && performance.now() < giveUpAt + graceMs) await sleep(20)
  const deaf = left.filter(isRunning)
  if (deaf.length > 0) throw leftByAnother(deaf.map(({ pid }) => pid))
  return left.length
}

/** Written beside its place and moved there whole, so that a crash leaves no half of it. */
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
