import { SERVER_PORTS } from '../bootstrap/start-help.mjs'
import { badPort, badTransport, freshElsewhere, unknownOption } from './messages.ts'

export interface StartOptions {
  fresh: boolean
  verbose: boolean
  help: boolean
  databaseUrl?: string
  redisSessionUrl?: string
  redisCacheUrl?: string
  eventTransport: string
  postgresPort: number
  redisSessionPort: number
  redisCachePort: number
}

type Environment = Readonly<Record<string, string | undefined>>

const FLAGS = ['--fresh', '--verbose', '--help', '-h']
const SERVER_VARIABLES = ['DATABASE_URL', 'REDIS_SESSION_URL', 'REDIS_CACHE_URL']

export function parseStartOptions(argv: readonly string[], env: Environment): StartOptions {
  const unknown = argv.find((argument) => !FLAGS.includes(argument))
  if (unknown !== undefined) throw unknownOption(unknown)
  const fresh = hasFlag('fresh', argv, env)
  const external = SERVER_VARIABLES.find((variable) => given(env, variable) !== undefined)
  if (fresh && external !== undefined) throw freshElsewhere(external)
  return {
    fresh,
    verbose: hasFlag('verbose', argv, env),
    help: argv.includes('--help') || argv.includes('-h'),
    ...externalServers(env),
    eventTransport: readTransport(env),
    postgresPort: serverPort(env, 'MELMASTOON_POSTGRES_PORT'),
    redisSessionPort: serverPort(env, 'MELMASTOON_REDIS_SESSION_PORT'),
    redisCachePort: serverPort(env, 'MELMASTOON_REDIS_CACHE_PORT'),
  }
}

function serverPort(env: Environment, variable: keyof typeof SERVER_PORTS): number {
  return readPort(env, variable, SERVER_PORTS[variable])
}

export function readPort(env: Environment, variable: string, fallback: number): number {
  const value = given(env, variable)
  if (value === undefined) return fallback
  const port = /^\d{1,5}$/.test(value) ? Number(value) : 0
  if (port < 1 || port > 65_535) throw badPort(variable, value)
  return port
}

/** `npm start --fresh`, without the two dashes in between, is passed as npm configuration. */
function hasFlag(name: string, argv: readonly string[], env: Environment): boolean {
  return argv.includes(`--${name}`) || (name === 'fresh' && env['npm_config_fresh'] === 'true')
}

function externalServers(env: Environment) {
  const databaseUrl = given(env, 'DATABASE_URL')
  const redisSessionUrl = given(env, 'REDIS_SESSION_URL')
  const redisCacheUrl = given(env, 'REDIS_CACHE_URL')
  return {
    ...(databaseUrl !== undefined && { databaseUrl }),
    ...(redisSessionUrl !== undefined && { redisSessionUrl }),
    ...(redisCacheUrl !== undefined && { redisCacheUrl }),
  }
}

function readTransport(env: Environment): string {
  const value = given(env, 'EVENT_TRANSPORT') ?? 'redis-streams'
  if (value !== 'redis-streams' && value !== 'pubsub') throw badTransport(value)
  return value
}

function given(env: Environment, variable: string): string | undefined {
  const value = env[variable]?.trim()
  return value === '' ? undefined : value
}
