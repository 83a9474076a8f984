import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'

export interface ChildCommand {
  program: string
  args?: readonly string[]
  folder: string
  env: Record<string, string>
  onOutput: (chunk: string) => void
}

export interface Child {
  readonly pid: number
  /** How it ended: `exit code 1`, `SIGKILL`. */
  readonly ended: Promise<string>
  hasEnded(): boolean
  /** Sends SIGTERM, and SIGKILL to the whole process group after the given time. */
  stop(graceMs: number): Promise<void>
}

/**
 * A TypeScript program on the same Node, in its own process group: Ctrl-C in the terminal reaches
 * only the supervisor, which then stops everything in order.
 */
export function spawnChild(command: ChildCommand): Child {
  const child = spawn(process.execPath, [command.program, ...(command.args ?? [])], {
    cwd: command.folder,
    env: command.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stdout.setEncoding('utf8').on('data', command.onOutput)
  child.stderr.setEncoding('utf8').on('data', command.onOutput)
  let over = false
  const ended = waitForEnd(child).then((how) => {
    over = true
    signalGroup(child.pid, 'SIGKILL')
    return how
  })
  return {
    pid: child.pid ?? 0,
    ended,
    hasEnded: () => over,
    async stop(graceMs) {
      if (over) return
      child.kill('SIGTERM')
      const patience = new AbortController()
      const lost = sleep(graceMs, undefined, { signal: patience.signal }).then(
        () => signalGroup(child.pid, 'SIGKILL'),
        () => undefined,
      )
      await ended
      patience.abort()
      await lost
    },
  }
}

/** Signals a process group, unless it no longer exists. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined || pid <= 1) return
  try {
    process.kill(-pid, signal)
  } catch {}
}

function waitForEnd(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`))
  })
}
