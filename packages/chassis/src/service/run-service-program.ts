import type { Env, ServerConfig } from '../config/index.ts'
import { ensureRoles, migrate, openRelayDatabase } from '../db/index.ts'
import { runFlagsCommand } from '../flags/index.ts'
import { runJobCommand } from '../jobs/index.ts'
import { runService } from '../lifecycle/index.ts'
import { runOutboxCommand } from '../outbox/index.ts'
import { createRedis } from '../redis/index.ts'
import type { ServiceBase } from './create-base.ts'
import { buildContext, createService } from './create-service.ts'
import { deadLetterQueues, runDeadLetterCommand } from './dead-letter-queues.ts'
import { openJobHost } from './open-job-host.ts'
import { type ServiceMigrationOptions, serviceMigrations } from './service-contracts.ts'
import type { ServiceDefinition, ServiceOverrides } from './service-definition.ts'

const USAGE = `usage: main.ts [serve]
       main.ts migrate [--with-development-data]
       main.ts jobs list | run <name>
       main.ts outbox depth | dead | replay <eventId>… | replay-since <time>
       main.ts flags get | set <name> <json> | unset <name>
       main.ts outbox dead-letters depth | replay [<subject>…]`
const EXIT_USAGE = 2
const DEVELOPMENT_DATA = '--with-development-data'

/**
 * The program of a service, its `main.ts`. Without a command it serves requests until it is
 * stopped; the other commands run to completion and set the exit code.
 */
export async function runServiceProgram<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  definition: ServiceDefinition<C, X, O>,
  env: Env,
  words: readonly string[] = process.argv.slice(2),
): Promise<void> {
  const [command = 'serve', ...rest] = words
  if (command === 'serve' && rest.length === 0) return serve(definition, env)
  process.exitCode = await runServiceCommand(definition, env, words)
}

function serve<C extends ServerConfig, X extends ServiceBase<C>, O extends ServiceOverrides>(
  definition: ServiceDefinition<C, X, O>,
  env: Env,
): Promise<void> {
  const start = async () => {
    const service = await createService<C, X, ServiceOverrides>(definition, env)
    return service.start()
  }
  return runService({ name: definition.config.service, start })
}

/** Any command but `serve`. Resolves to the exit code. */
export async function runServiceCommand<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(service: ServiceDefinition<C, X, O>, env: Env, words: readonly string[]): Promise<number> {
  try {
    return await chooseCommand(service, env, words)
  } catch (error) {
    // An error with an exit code is a message for the operator, not a crash.
    if (!(error instanceof Error) || !('exitCode' in error)) throw error
    process.stderr.write(`${error.message}\n`)
    return Number(error.exitCode)
  }
}

/** These commands read the shared settings only, except for a job that needs the context. */
async function chooseCommand<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  service: ServiceDefinition<C, X, O>,
  env: Env,
  [command, ...words]: readonly string[],
): Promise<number> {
  if (command === 'migrate' && words.every((word) => word === DEVELOPMENT_DATA)) {
    return migrateService(service, env, { withDevelopmentData: words.length > 0 })
  }
  if (command === 'jobs') {
    const open = (name: string) => openJobHost(service, env, name)
    return runJobCommand(words, { jobs: service.jobs, open })
  }
  if (command === 'outbox' && words[0] === 'dead-letters') {
    return runDeadLetters(service, env, words.slice(1))
  }
  if (command === 'outbox') {
    const open = () => openRelayDatabase(service.config.readBase(env))
    return runOutboxCommand(words, { open })
  }
  if (command === 'flags') return await runFlags(service, env, words)
  const own = service.commands?.[command ?? '']
  if (own !== undefined) {
    await using opened = openRelayDatabase(service.config.readBase(env))
    return await own(words, opened.db, env)
  }
  process.stderr.write(`${USAGE}\n`)
  return EXIT_USAGE
}

/** Flags are in the cache Redis. */
async function runFlags<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(
  { config, flags = [] }: ServiceDefinition<C, X, O>,
  env: Env,
  words: readonly string[],
): Promise<number> {
  const { service, redisCacheUrl } = config.read(env)
  const onError = (error: unknown) => process.stderr.write(`redis: ${String(error)}\n`)
  const redis = createRedis(redisCacheUrl, { name: `${service}-flags`, onError })
  try {
    return await runFlagsCommand(words, { documents: flags, redis })
  } finally {
    redis.disconnect()
  }
}

/** Of the subjects that the service consumes. */
async function runDeadLetters<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(service: ServiceDefinition<C, X, O>, env: Env, words: readonly string[]): Promise<number> {
  const { subscriptions } = service
  await using ctx = buildContext(service, service.config.read(env), {} as O)
  const queues = subscriptions === undefined ? [] : deadLetterQueues(subscriptions, ctx)
  return await runDeadLetterCommand(words, { bus: ctx.bus, queues })
}

type Migrated = Pick<ServiceDefinition, 'config' | 'migrations' | 'idempotencyIsolation'>

async function migrateService(
  service: Migrated,
  env: Env,
  options: ServiceMigrationOptions,
): Promise<number> {
  const { databaseUrl, database } = service.config.readBase(env)
  const { schema } = service.config
  const migrations = await serviceMigrations(service, options)
  await ensureRoles(databaseUrl, schema, { tls: database, limits: database, migrations })
  await migrate({ url: databaseUrl, tls: database, schema, migrations })
  return 0
}
