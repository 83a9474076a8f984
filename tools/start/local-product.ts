import { type CommandResult, dataRoot, isPortFree, runCommand } from '@melmastoon/one-machine'
import { discoverServices } from './discover-services.ts'
import { openMachineSecrets } from './machine-secrets.ts'
import { notStarted, startedElsewhere } from './messages.ts'
import { assignPorts } from './ports.ts'
import { isServedFrom } from './run-addresses.ts'
import { type Surroundings, serviceEnv } from './service-env.ts'
import type { ServiceSpec } from './service-spec.ts'
import { parseStartOptions, type StartOptions } from './start-options.ts'

/** The product for command-line programs: its services, and the addresses of the servers. */
export interface LocalProduct {
  services: readonly ServiceSpec[]
  /** Throws when the database is not reachable, or is that of another clone. */
  assertStarted(): Promise<void>
  /** Runs a command of a service's program in the environment of the service. */
  run(service: ServiceSpec, options: ProgramRun): Promise<CommandResult>
}

export interface ProgramRun {
  words: readonly string[]
  /** Whether its output is printed immediately. */
  shown: boolean
}

export interface LocalProductOptions {
  root: string
  env: Readonly<Record<string, string | undefined>>
}

export function openLocalProduct({ root, env }: LocalProductOptions): LocalProduct {
  const options = parseStartOptions([], env)
  const services = discoverServices(root)
  const surroundings = localSurroundings(services, options, env)
  return {
    services,
    async assertStarted() {
      const { databaseUrl, postgresPort } = options
      if (databaseUrl !== undefined || isServedFrom(dataRoot(), postgresPort)) return
      if (await isPortFree(postgresPort)) throw notStarted(postgresPort)
      throw startedElsewhere(`The database on 127.0.0.1:${postgresPort}`)
    },
    run: (service, { words, shown }) =>
      runCommand(process.execPath, [service.entry, ...words], {
        cwd: service.folder,
        env: { ...serviceEnv(service, surroundings), JOB_SCHEDULES: 'off' },
        timeoutMs: null,
        stderr: 'inherited',
        ...(shown && { onOutput: (piece) => void process.stdout.write(piece) }),
      }),
  }
}

function localSurroundings(
  services: readonly ServiceSpec[],
  options: StartOptions,
  env: LocalProductOptions['env'],
): Surroundings {
  const local = (scheme: string, port: number) => `${scheme}://127.0.0.1:${port}`
  const postgres = `postgres://postgres@127.0.0.1:${options.postgresPort}/melmastoon`
  const dataFolder = dataRoot()
  return {
    inherited: env,
    servers: {
      databaseUrl: options.databaseUrl ?? postgres,
      redisSessionUrl: options.redisSessionUrl ?? local('redis', options.redisSessionPort),
      redisCacheUrl: options.redisCacheUrl ?? local('redis', options.redisCachePort),
    },
    eventTransport: options.eventTransport,
    ports: assignPorts(services, env),
    secrets: openMachineSecrets(dataFolder),
    dataFolder,
  }
}
