import { spawn } from 'node:child_process'
import type { Identity } from './server-identity.ts'

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly identity?: Identity | null
  /** A minute unless said otherwise; null waits for as long as it takes. */
  readonly timeoutMs?: number | null
  /** Interrupts the program as Ctrl-C would; its end is awaited all the same. */
  readonly signal?: AbortSignal
  /** What it writes to its standard error: kept with the rest, or shown at once and not kept. */
  readonly errors?: 'kept' | 'shown'
  /** Told what it writes as it comes. */
  readonly onOutput?: (piece: string) => void
}

export interface CommandResult {
  /** Null when the program was ended by a signal, as after its time-out. */
  readonly exitCode: number | null
  readonly output: string
}

/** Runs a program to its end; a program that cannot be started rejects with the system's error. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: CommandOptions,
): Promise<CommandResult> {
  const { signal } = options
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: options.env,
      cwd: options.cwd ?? '/',
      stdio: ['ignore', 'pipe', options.errors === 'shown' ? 'inherit' : 'pipe'],
      timeout: options.timeoutMs === undefined ? 60_000 : (options.timeoutMs ?? 0),
      killSignal: 'SIGKILL',
      ...options.identity,
    })
    const interrupt = () => void child.kill('SIGINT')
    signal?.addEventListener('abort', interrupt, { once: true })
    const pieces: string[] = []
    const keep = (piece: string) => {
      pieces.push(piece)
      options.onOutput?.(piece)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.once('error', reject)
    child.once('close', (exitCode) => {
      signal?.removeEventListener('abort', interrupt)
      resolve({ exitCode, output: pieces.join('') })
    })
  })
}
