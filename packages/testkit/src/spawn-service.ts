import { freePort } from '@melmastoon/one-machine'
import { eventually } from './eventually.ts'
import { send } from './send.ts'
import { type SpawnedProcess, spawnProcess } from './spawn-process.ts'

type Env = Readonly<Record<string, string>>

/** Long enough for a busy machine. */
const READY_MS = 90_000

export interface ServiceProcess extends SpawnedProcess {
  readonly url: string
}

/** A service as a separate process, which a test can kill; ready for requests. */
export async function spawnService(entry: URL, env: Env): Promise<ServiceProcess> {
  const port = await freePort()
  const settings = { NODE_ENV: 'test', ...env, PORT: String(port) }
  const child = spawnProcess(entry, { env: settings })
  const url = `http://127.0.0.1:${port}`
  try {
    await Promise.race([untilReady(url), endedEarly(child)])
  } catch (error) {
    await child.kill()
    throw error
  }
  return { ...child, url }
}

async function untilReady(url: string): Promise<void> {
  await eventually(
    async () => {
      const { status } = await send(url, 'GET', '/health/ready')
      if (status !== 200) throw new Error(`not ready: ${status}`)
    },
    { timeoutMs: READY_MS, intervalMs: 50 },
  )
}

async function endedEarly(child: SpawnedProcess): Promise<never> {
  const { code, signal } = await child.exited
  throw new Error(`the service ended (${code ?? signal}):\n${child.lines.join('\n')}`)
}
