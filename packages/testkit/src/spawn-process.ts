import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { programEnvironment } from './config/environment.ts'

export interface SpawnOptions {
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly args?: readonly string[]
  readonly cwd?: string
}

export interface ProcessExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

export interface SpawnedProcess extends AsyncDisposable {
  readonly pid: number
  readonly exited: Promise<ProcessExit>
  /** Lines of both outputs so far, in order of arrival. */
  readonly lines: readonly string[]
  /** The first matching line, past or future; rejects when the process ends without one. */
  waitForLine(pattern: RegExp | string, options?: { timeoutMs?: number }): Promise<string>
  kill(signal?: NodeJS.Signals): Promise<ProcessExit>
}

/** Runs a TypeScript file as a separate process, which a test can kill. */
export function spawnProcess(entry: string | URL, options: SpawnOptions = {}): SpawnedProcess {
  const path = entry instanceof URL ? fileURLToPath(entry) : entry
  const child = spawn(process.execPath, [path, ...(options.args ?? [])], {
    env: programEnvironment({ NODE_OPTIONS: undefined, ...options.env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  })
  const exited = watchExit(child)
  const output = collectLines(child)
  const kill = (signal: NodeJS.Signals = 'SIGKILL') => {
    child.kill(signal)
    return exited
  }
  return {
    pid: child.pid ?? 0,
    exited,
    lines: output.lines,
    waitForLine: (pattern, wait) => output.waitFor(pattern, wait?.timeoutMs ?? 15_000),
    kill,
    async [Symbol.asyncDispose]() {
      await kill()
    },
  }
}

function watchExit(child: ChildProcess): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once('error', () => resolve({ code: null, signal: null }))
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
}

interface Output {
  readonly lines: readonly string[]
  waitFor(pattern: RegExp | string, timeoutMs: number): Promise<string>
}

function collectLines(child: ChildProcess): Output {
  const lines: string[] = []
  const listeners = new Set<() => void>()
  let ended = false
  const notify = () => listeners.forEach((listener) => listener())
  for (const stream of [child.stdout, child.stderr]) {
    readLines(stream, (line) => {
      lines.push(line)
      notify()
    })
  }
  child.once('close', () => {
    ended = true
    notify()
  })
  const waitFor = (pattern: RegExp | string, timeoutMs: number) =>
    new Promise<string>((resolve, reject) => {
      const settle = (finish: () => void) => {
        clearTimeout(timer)
        listeners.delete(look)
        finish()
      }
      const fail = (why: string) =>
        settle(() => reject(new Error(`${why}: no line like ${pattern} in\n${lines.join('\n')}`)))
      const look = () => {
        const line = lines.find((candidate) => fits(candidate, pattern))
        if (line !== undefined) settle(() => resolve(line))
        else if (ended) fail('the process ended')
      }
      const timer = setTimeout(() => fail(`${timeoutMs} ms passed`), timeoutMs)
      listeners.add(look)
      look()
    })
  return { lines, waitFor }
}

function fits(line: string, pattern: RegExp | string): boolean {
  return typeof pattern === 'string' ? line.includes(pattern) : line.search(pattern) !== -1
}

function readLines(stream: NodeJS.ReadableStream | null, onLine: (line: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (piece: string) => {
    const parts = (rest + piece).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) onLine(part)
  })
  stream?.on('end', () => {
    if (rest !== '') onLine(rest)
  })
}
