import { execFile } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { promisify } from 'node:util'
import { findInstalledTool } from '@melmastoon/one-machine'

const run = promisify(execFile)

/** The measured process has the first core, the load generator the second. */
export const SERVER_CORE = 0
export const LOAD_CORE = 1

const taskset = findInstalledTool('taskset')
let pinning = taskset !== null && availableParallelism() > 1

export function canPin(): boolean {
  return pinning
}

/** The short form compares nothing, so its processes may use any core. */
export function stopPinning(): void {
  pinning = false
}

/** The command to run a program on one core; it stays the same process. */
export function onCore(core: number | null, command: readonly string[]): readonly string[] {
  if (core === null || taskset === null || !pinning) return command
  return [taskset.path, '-c', String(core), ...command]
}

/** Moves a running process with all its threads. */
export async function moveToCore(core: number, pid: number): Promise<void> {
  if (taskset === null || !pinning) return
  await run(taskset.path, ['-a', '-c', '-p', String(core), String(pid)])
}
