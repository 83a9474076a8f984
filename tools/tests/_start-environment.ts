import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { dataRoot, freePort } from '@melmastoon/one-machine'
import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'

export interface StartEnvironment extends AsyncDisposable {
  readonly dataFolder: string
  readonly ports: { postgres: number; session: number; cache: number; echo: number }
  start(options?: { env?: Record<string, string>; args?: string[] }): SpawnedProcess
  startReady(options?: { env?: Record<string, string>; args?: string[] }): Promise<SpawnedProcess>
  /** Started with output streams that the test can close. */
  startWithStreams(): Promise<ChildProcessByStdio<null, Readable, Readable>>
  /** Stops all processes that a test left running. */
  settle(): Promise<void>
  /** The response of the echo service: its pid and environment. */
  echo(path?: string): Promise<Record<string, string | number>>
}

const START = fileURLToPath(new URL('./fixture/start.ts', import.meta.url))
const ECHO = fileURLToPath(new URL('./fixture/echo-service.ts', import.meta.url))

/** A repository with one service, its own data folder and its own ports. */
export async function createStartEnvironment(): Promise<StartEnvironment> {
  const root = mkdtempSync(join(tmpdir(), 'mel-start-'))
  chmodSync(root, 0o755)
  const dataFolder = join(root, 'data')
  const ports = await choosePorts()
  writeWorkspace(root, ports.echo)
  shareTools(dataFolder)
  const base = {
    MELMASTOON_DATA: dataFolder,
    MELMASTOON_POSTGRES_PORT: String(ports.postgres),
    MELMASTOON_REDIS_SESSION_PORT: String(ports.session),
    MELMASTOON_REDIS_CACHE_PORT: String(ports.cache),
    MELMASTOON_ECHO_INTERNAL_PORT: String(ports.inner),
  }
  const started: SpawnedProcess[] = []
  const start: StartEnvironment['start'] = ({ env = {}, args = [] } = {}) => {
    const spawned = spawnProcess(START, { env: { ...base, ...env }, args: [root, ...args] })
    started.push(spawned)
    return spawned
  }
  const settle = async () => {
    await Promise.all(started.splice(0).map((each) => each.kill('SIGTERM')))
  }
  return {
    dataFolder,
    ports,
    start,
    async startReady(options) {
      const product = start(options)
      await product.waitForLine('is ready', { timeoutMs: 60_000 })
      return product
    },
    async startWithStreams() {
      const env = { ...process.env, ...base }
      const product = spawn(process.execPath, [START, root], {
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let shown = ''
      product.stdout.setEncoding('utf8')
      while (!shown.includes('is ready')) shown += String(await once(product.stdout, 'data'))
      return product
    },
    async echo(path = '/') {
      const response = await fetch(`http://127.0.0.1:${ports.echo}${path}`)
      return (await response.json()) as Record<string, string | number>
    },
    settle,
    async [Symbol.asyncDispose]() {
      await settle()
      rmSync(root, { recursive: true, force: true })
    },
  }
}

async function choosePorts() {
  return {
    postgres: await freePort(),
    session: await freePort(),
    cache: await freePort(),
    echo: await freePort(),
    inner: await freePort(),
  }
}

/** If Redis must be downloaded, this is done once for all test environments. */
function shareTools(dataFolder: string): void {
  mkdirSync(dataFolder)
  const fetched = join(dataRoot(), 'tools')
  if (existsSync(fetched)) symlinkSync(fetched, join(dataFolder, 'tools'))
}

function writeWorkspace(root: string, port: number): void {
  const folder = join(root, 'services', 'echo')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(root, 'package.json'), JSON.stringify({ workspaces: ['services/*'] }))
  const service = {
    name: 'echo',
    entry: relative(folder, ECHO),
    port,
    env: { ECHO_EXTRA: '{echo.url}/{secret.echo}' },
    try: [`curl http://127.0.0.1:${port}/`],
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ melmastoon: { service } }))
}
