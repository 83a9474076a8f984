import { chmodSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { findTool, MachineError, type Tool } from '@melmastoon/one-machine'
import { type OptionalServer, startOptionalServer, type Unavailable } from './optional-server.ts'

export interface PgBouncerOptions {
  /** Users that may connect in addition to the user of the URL. */
  readonly users?: readonly string[]
  readonly poolSize?: number
  readonly settings?: Readonly<Record<string, string>>
}

export interface PgBouncer extends OptionalServer {
  /** The same database and user through the pooler. */
  readonly url: string
  urlFor(user: string): string
}

/** PgBouncer with transaction pooling for a database, or the reason why it is unavailable. */
export async function startPgBouncer(
  databaseUrl: string,
  options: PgBouncerOptions = {},
): Promise<PgBouncer | Unavailable> {
  const tool = await fetchPgBouncer()
  if ('reason' in tool) return tool
  const target = new URL(databaseUrl)
  const server = await startOptionalServer({
    name: 'PgBouncer',
    tool,
    stopSignal: 'SIGTERM',
    args: (port, folder) => [writeConfiguration(target, { port, folder, options })],
    isReady: accepts,
    url: (port) => through(target, port).href,
  })
  const urlFor = (user: string) => {
    const url = through(target, server.instance.port)
    url.username = user
    return url.href
  }
  return { ...server, url: server.instance.url, urlFor }
}

async function fetchPgBouncer(): Promise<Tool | Unavailable> {
  try {
    return await findTool('pgbouncer', { packages: ['pgbouncer'] })
  } catch (error) {
    if (error instanceof MachineError) return { available: false, reason: error.message }
    throw error
  }
}

function writeConfiguration(
  target: URL,
  place: { port: number; folder: string; options: PgBouncerOptions },
): string {
  const users = new Set([target.username, 'postgres', ...(place.options.users ?? [])])
  const usersFile = writeFor(
    place.folder,
    'users.txt',
    [...users].map((user) => `"${user}" ""`),
  )
  const settings = {
    listen_addr: '127.0.0.1',
    listen_port: String(place.port),
    unix_socket_dir: '',
    auth_type: 'trust',
    auth_file: usersFile,
    pool_mode: 'transaction',
    default_pool_size: String(place.options.poolSize ?? 4),
    max_client_conn: '500',
    ignore_startup_parameters: 'extra_float_digits',
    ...place.options.settings,
  }
  return writeFor(place.folder, 'pgbouncer.ini', [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    ...Object.entries(settings).map(([name, value]) => `${name} = ${value}`),
  ])
}

/** Readable by the user `nobody` with any umask; the file contains no secret. */
function writeFor(folder: string, name: string, lines: readonly string[]): string {
  const path = join(folder, name)
  writeFileSync(path, `${lines.join('\n')}\n`)
  chmodSync(path, 0o644)
  return path
}

function through(target: URL, port: number): URL {
  const url = new URL(target)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
