import { spawn } from 'node:child_process'
import type { Identity } from './server-identity.ts'

export interface CommandOptions {
  readonly env: Record<string, string>
  readonly cwd?: string
  readonly identity?: Identity | null
  readonly timeoutMs?: number
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
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      env: options.env,
      cwd: options.cwd ?? '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: options.timeoutMs ?? 60_000,
      killSignal: 'SIGKILL',
      ...options.identity,
    })
    const pieces: string[] = []
    child.stdout.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
    child.stderr.setEncoding('utf8').on('data', (piece: string) => pieces.push(piece))
    child.once('error', reject)
    child.once('close', (exitCode) => resolve({ exitCode, output: pieces.join('') }))
  })
}
