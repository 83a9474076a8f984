import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findInstalledTool } from '@melmastoon/one-machine'
import { emulatorJarFromEnvironment, homeFolder } from './config/environment.ts'
import { type OptionalServer, startOptionalServer, type Unavailable } from './optional-server.ts'

export interface PubSubEmulator extends OptionalServer {
  /** For `PUBSUB_EMULATOR_HOST`. */
  readonly endpoint: string
}

/** Google's emulator, if its package is installed; it stores everything in memory. */
export async function startPubSubEmulator(): Promise<PubSubEmulator | Unavailable> {
  const jar = emulatorJarFromEnvironment() ?? findJar()
  const java = findInstalledTool('java')
  if (jar === undefined) return unavailable('the Pub/Sub emulator is not installed')
  if (java === null) return unavailable('the Pub/Sub emulator needs java, which is not installed')
  const server = await startOptionalServer({
    name: 'Pub/Sub emulator',
    tool: java,
    stopSignal: 'SIGTERM',
    args: (port, folder) => [
      '-Xmx512m',
      `-Djava.io.tmpdir=${folder}`,
      '-jar',
      jar,
      '--host=127.0.0.1',
      `--port=${port}`,
    ],
    isReady: responds,
    url: (port) => `http://127.0.0.1:${port}`,
  })
  return { ...server, endpoint: `127.0.0.1:${server.instance.port}` }
}

function unavailable(reason: string): Unavailable {
  return { available: false, reason }
}

function findJar(): string | undefined {
  const gcloud = findInstalledTool('gcloud')
  const homes = [
    '/usr/lib/google-cloud-sdk',
    '/usr/share/google-cloud-sdk',
    '/usr/local/google-cloud-sdk',
    '/opt/google-cloud-sdk',
    '/google-cloud-sdk',
    '/snap/google-cloud-cli/current',
    join(homeFolder(), 'google-cloud-sdk'),
    ...(gcloud === null ? [] : [dirname(dirname(gcloud.path))]),
  ]
  return homes.flatMap((home) => listJars(join(home, 'platform/pubsub-emulator/lib'))).at(0)
}

function listJars(folder: string): string[] {
  try {
    const isJar = (file: string) => /^cloud-pubsub-emulator.*\.jar$/.test(file)
    return readdirSync(folder)
      .filter(isJar)
      .map((file) => join(folder, file))
  } catch {
    return []
  }
}

async function responds(port: number): Promise<boolean> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/`, {
      signal: AbortSignal.timeout(1_000),
    })
    return response.ok
  } catch {
    return false
  }
}
