import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { dataRoot, freePort } from '@melmastoon/one-machine'
import type { BenchWorld } from '../../harness/row.ts'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const READY = 'Melmastoon is ready'
const SERVICES = [
  'PLATFORM_SANDBOX',
  'BFF_CONSUMER_SERVICE',
  'BFF_TENANT_BOOKING_SERVICE',
  'BFF_BACKOFFICE_SERVICE',
]
const SERVERS = ['POSTGRES', 'REDIS_SESSION', 'REDIS_CACHE']

export interface Product extends AsyncDisposable {
  readonly pid: number
}

/** `npm start` with data and ports of its own; it ends with this process. */
export async function startProduct(world: BenchWorld): Promise<Product> {
  const data = world.folder('product')
  const tools = join(dataRoot(), 'tools')
  // Downloaded programs are shared.
  if (existsSync(tools)) symlinkSync(tools, join(data, 'tools'))
  const small = world.short ? { WORLD_PROPERTIES: '60' } : {}
  const child = spawn(process.execPath, ['tools/start/main.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...(await ownPorts()), ...small, MELMASTOON_DATA: data, NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const exited = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGTERM')
    await exited
  }
  const { stdout } = child
  if (stdout === null) throw new Error('the output of the product cannot be read')
  const lines: string[] = []
  for await (const line of createInterface({ input: stdout })) {
    lines.push(line)
    if (!line.includes(READY)) continue
    stdout.resume()
    return { pid: child.pid ?? 0, [Symbol.asyncDispose]: stop }
  }
  throw new Error(`the product did not start:\n${lines.join('\n')}`)
}

async function ownPorts(): Promise<Record<string, string>> {
  const names = [...SERVICES, ...SERVICES.map((name) => `${name}_INTERNAL`), ...SERVERS]
  const ports = new Set<number>()
  while (ports.size < names.length) ports.add(await freePort())
  const entries = [...ports].map((port, at) => [`MELMASTOON_${names[at]}_PORT`, String(port)])
  return Object.fromEntries(entries) as Record<string, string>
}
