import { dataRoot, isPortFree, runCommand } from '@melmastoon/one-machine'
import { discoverServices } from '../start/discover-services.ts'
import { openMachineSecrets } from '../start/machine-secrets.ts'
import { assignPorts } from '../start/ports.ts'
import { type Surroundings, serviceEnv } from '../start/service-env.ts'
import type { ServiceSpec } from '../start/service-spec.ts'
import { StartError } from '../start/start-error.ts'
import { parseStartOptions, type StartOptions } from '../start/start-options.ts'
import { chooseJob, type ServiceJobs } from './choose-job.ts'

export interface JobsContext {
  root: string
  env: Readonly<Record<string, string | undefined>>
}

/** `npm run jobs`, `npm run jobs -- <service>`, `npm run jobs -- [<service>] <name>`. */
export async function runJobsCommand(
  words: readonly string[],
  context: JobsContext,
): Promise<number> {
  const options = parseStartOptions([], context.env)
  const services = discoverServices(context.root)
  const surroundings = localSurroundings(services, options, context)
  const withJobs = services.filter((service) => service.jobs !== undefined)
  const known = await Promise.all(withJobs.map((service) => listJobs(service, surroundings)))
  const chosen = chooseJob(words, known)
  if (chosen === null) return printJobs(words[0], known)
  await assertRunning(options)
  const service = withJobs.find((each) => each.name === chosen.service)
  if (service === undefined) throw new TypeError(`no service ${chosen.service}`)
  const { exitCode } = await runEntry(service, surroundings, ['run', chosen.job])
  return exitCode ?? 1
}

function localSurroundings(
  services: readonly ServiceSpec[],
  options: StartOptions,
  { env }: JobsContext,
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

async function listJobs(service: ServiceSpec, surroundings: Surroundings): Promise<ServiceJobs> {
  const { exitCode, output } = await runEntry(service, surroundings, ['list'])
  if (exitCode !== 0) throw new StartError(`${service.name} cannot list its jobs.`)
  return { service: service.name, jobs: output.split('\n').filter((line) => line !== '') }
}

/** What `list` prints is for us; everything else is for the person. */
function runEntry(service: ServiceSpec, surroundings: Surroundings, words: readonly string[]) {
  return runCommand(process.execPath, [service.jobs ?? '', ...words], {
    cwd: service.folder,
    env: { ...serviceEnv(service, surroundings), JOB_SCHEDULES: 'off' },
    timeoutMs: null,
    errors: 'shown',
    ...(words[0] !== 'list' && { onOutput: (piece) => void process.stdout.write(piece) }),
  })
}

async function assertRunning(options: StartOptions): Promise<void> {
  if (options.databaseUrl !== undefined || !(await isPortFree(options.postgresPort))) return
  throw new StartError(
    `Nothing answers on 127.0.0.1:${options.postgresPort}: start the product first (npm start), or name a database with DATABASE_URL.`,
  )
}

function printJobs(only: string | undefined, known: readonly ServiceJobs[]): number {
  const shown = known.filter(({ service }) => only === undefined || service === only)
  if (shown.length === 0) console.log('No service declares jobs yet.')
  for (const { service, jobs } of shown) {
    console.log(service)
    for (const job of jobs) console.log(`  ${job}`)
  }
  console.log('\nnpm run jobs -- <service> <name> runs one.')
  return 0
}
