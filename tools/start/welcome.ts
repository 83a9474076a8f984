import { relative } from 'node:path'
import type { ServicePorts } from './ports.ts'
import type { Reporter } from './reporter.ts'
import type { Servers } from './servers.ts'
import type { ServiceSpec } from './service-spec.ts'

export interface WelcomeOptions {
  services: readonly ServiceSpec[]
  ports: ReadonlyMap<string, ServicePorts>
  servers: Servers
  logFolder: string
  elapsedMs: number
}

/** The addresses, and commands for a first try. */
export function welcome(reporter: Reporter, options: WelcomeOptions): void {
  const { services, ports, servers } = options
  const rows = [
    ...services.map(({ name, port }) => [
      name,
      `http://127.0.0.1:${ports.get(name)?.port ?? port}`,
    ]),
    ['postgres', withoutPassword(servers.databaseUrl)],
    ['redis sessions', withoutPassword(servers.redisSessionUrl)],
    ['redis caches', withoutPassword(servers.redisCacheUrl)],
    ['logs', nearby(options.logFolder)],
  ]
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0)) + 3
  const seconds = (options.elapsedMs / 1000).toFixed(1)
  reporter.say()
  reporter.say(`${reporter.bold('Melmastoon is ready')}, after ${seconds} s. Ctrl-C stops it.`)
  reporter.say()
  for (const [name = '', address = ''] of rows) reporter.say(`  ${name.padEnd(width)}${address}`)
  const commands = services.flatMap((service) => tryCommands(service, ports.get(service.name)))
  if (commands.length === 0) return
  reporter.say()
  reporter.say('Try:')
  for (const command of commands) reporter.say(`  ${command}`)
}

/** Manifests contain default ports; the commands shown use the actual ones. */
export function tryCommands(service: ServiceSpec, ports: ServicePorts | undefined): string[] {
  const { port: usual } = service
  const { port = usual, internalPort = usual + 1000 } = ports ?? {}
  const moved = new Map([
    [`:${usual}`, `:${port}`],
    [`:${usual + 1000}`, `:${internalPort}`],
  ])
  return service.try.map((command) =>
    command.replaceAll(/:\d{1,5}\b/g, (place) => moved.get(place) ?? place),
  )
}

function nearby(folder: string): string {
  const short = relative('', folder)
  return short.startsWith('..') ? folder : short
}

export function withoutPassword(url: string): string {
  const parsed = URL.parse(url)
  if (parsed === null) return 'a URL that cannot be read'
  if (parsed.password !== '') parsed.password = '…'
  return decodeURIComponent(parsed.href)
}
