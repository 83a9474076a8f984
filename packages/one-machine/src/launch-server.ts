import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, readFileSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { MachineError } from './machine-error.ts'
import type { Identity } from './server-identity.ts'

export interface ServerCommand {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly cwd: string
  readonly identity: Identity | null
  readonly logFile: string
  readonly onSpawn?: (pid: number) => void
  readonly isReady: (pid: number) => Promise<boolean>
  readonly readyTimeoutMs?: number
}

/**
 * Starts a server in its own process group: Ctrl-C in a terminal reaches only this process, which
 * stops the servers in order.
 */
export async function launchServer(server: ServerCommand): Promise<number> {
  const logStart = statSync(server.logFile, { throwIfNoEntry: false })?.size ?? 0
  const child = spawnDetached(server)
  const exit = watchExit(child)
  const pid = child.pid
  if (pid === undefined) throw startFailed(server, logStart, await exit.promise)
  server.onSpawn?.(pid)
  const attempts = (server.readyTimeoutMs ?? 30_000) / 15
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (exit.happened()) throw startFailed(server, logStart, await exit.promise)
    if (await server.isReady(pid)) return pid
    await sleep(15)
  }
  child.kill('SIGKILL')
  throw startFailed(server, logStart, 'it was not ready in time')
}

function spawnDetached(server: ServerCommand): ChildProcess {
  const log = openSync(server.logFile, 'a')
  try {
    const child = spawn(server.command, server.args, {
      env: server.env,
      cwd: server.cwd,
      detached: true,
      stdio: ['ignore', log, log],
      ...server.identity,
    })
    child.unref()
    return child
  } finally {
    closeSync(log)
  }
}

function watchExit(child: ChildProcess): { promise: Promise<string>; happened: () => boolean } {
  let over = false
  const promise = new Promise<string>((resolve) => {
    const end = (words: string) => {
      over = true
      resolve(words)
    }
    child.once('error', (error) => end(error.message))
    child.once('exit', (code, signal) => end(`it ended with ${signal ?? `exit code ${code}`}`))
  })
  return { promise, happened: () => over }
}

function startFailed(server: ServerCommand, logStart: number, reason: string): MachineError {
  const log = readFileSync(server.logFile).subarray(logStart).toString('utf8')
  if (/address already in use/i.test(log)) {
    const sentence = `The port for ${server.name} is taken by another program: stop that program or choose another port.`
    return new MachineError('PORT_BUSY', sentence, { cause: log })
  }
  const message = log.split('\n').find((line) => /FATAL|PANIC|error|fail/i.test(line)) ?? reason
  const sentence = `${server.name} did not start (${message.trim()}): see ${server.logFile}.`
  return new MachineError('START_FAILED', sentence, { cause: log })
}
