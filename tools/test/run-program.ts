import { spawn } from 'node:child_process'

export interface Program {
  args: readonly string[]
  folder: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
}

export interface ProgramResult {
  exitCode: number
  output: string
}

const KEPT_CHARACTERS = 1_000_000

/** Runs a program on this Node, shows what it prints as it comes, and keeps it. */
export function runProgram({ args, folder, env, signal }: Program): Promise<ProgramResult> {
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...env, ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : { NO_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const stop = () => void child.kill('SIGINT')
  signal.addEventListener('abort', stop, { once: true })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    process.stdout.write(chunk)
    output = (output + chunk).slice(-KEPT_CHARACTERS)
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      signal.removeEventListener('abort', stop)
      resolve({ exitCode: code ?? 1, output })
    })
  })
}
