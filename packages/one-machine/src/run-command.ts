import { spawn } from 'node:child_process'
import type { Identity } from './server-identity.ts'

export interface CommandOptions {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd?: string
  readonly identity?: Identity | null
  /** One minute by default; null waits without limit. */
  readonly timeoutMs?: number | null
  /** Interrupts the program as Ctrl-C would; its exit is still awaited. */
  readonly signal?: AbortSignal
  /** Standard error: captured with the output, or passed through to this process. */
  readonly stderr?: 'captured' | 'inherited'
  /** Receives the output as it arrives. */
  readonly onOutput?: (piece: string) => void
}

export interface CommandResult {
  /** Null when the program was ended by a signal, for example after its timeout. */
  readonly exitCode: number | null
  readonly output: string
}

/** Runs a program until it exits; rejects with the system error when it cannot be started. */
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
      stdio: ['ignore', 'pipe', options.stderr === 'inherited' ? 'inherit' : 'pipe'],
      timeout: options.timeoutMs === undefined ? 60_000 : (options.timeoutMs ?? 0),
      killSignal: 'SIGKILL',
      ...options.identity,
    })
    const interrupt = () => void child.kill('SIGINT')
    signal?.addEventListener('abort', interrupt, { once: true })
    const pieces: string[] = []
    const collect = (piece: string) => {
      pieces.push(piece)
      options.onOutput?.(piece)
    }
    child.stdout?.setEncoding('utf8').on('data', collect)
    child.stderr?.setEncoding('utf8').on('data', collect)
    child.once('error', reject)
    child.once('close', (exitCode) => {
      signal?.removeEventListener('abort', interrupt)
      resolve({ exitCode, output: pieces.join('') })
    })
  })
}
