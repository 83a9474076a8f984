import { spawnChild } from './child-process.ts'
import { stepFailed } from './messages.ts'

export interface Script {
  /** For messages: `migrating example-service`. */
  what: string
  program: string
  args: readonly string[]
  folder: string
  env: Record<string, string>
  signal: AbortSignal
}

const SHOWN_LINES = 20
const GRACE_MS = 2000

/** Runs a program until it exits; its output is shown only if it fails. */
export async function runScript(script: Script): Promise<void> {
  let output = ''
  const onOutput = (chunk: string) => {
    output = (output + chunk).slice(-16_384)
  }
  script.signal.throwIfAborted()
  const child = spawnChild({ ...script, onOutput })
  const stop = () => void child.stop(GRACE_MS)
  script.signal.addEventListener('abort', stop, { once: true })
  const how = await child.ended
  script.signal.removeEventListener('abort', stop)
  script.signal.throwIfAborted()
  if (how === 'exit code 0') return
  throw stepFailed(script.what, how, output.trimEnd().split('\n').slice(-SHOWN_LINES).join('\n'))
}
