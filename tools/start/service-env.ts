import type { MachineSecrets } from './machine-secrets.ts'
import { badManifest } from './messages.ts'
import type { ServicePorts } from './ports.ts'
import type { ServiceSpec } from './service-spec.ts'
import { privateKeyOf, publicKeysOf } from './signing-keys.ts'

export interface Surroundings {
  inherited: Readonly<Record<string, string | undefined>>
  servers: { databaseUrl: string; redisSessionUrl: string; redisCacheUrl: string }
  eventTransport: string
  ports: ReadonlyMap<string, ServicePorts>
  secrets: MachineSecrets
  dataFolder: string
}

/** The supervisor has ten seconds in total, so each service gets less than its default. */
const SERVICE_SHUTDOWN_MS = 5000

/** The environment of a service: the manifest, the caller's variables, and the fixed settings. */
export function serviceEnv(spec: ServiceSpec, surroundings: Surroundings): Record<string, string> {
  const { servers, ports, inherited } = surroundings
  const own = ports.get(spec.name)
  return {
    ...withoutNpm(inherited),
    ...defaults(spec, surroundings),
    DATABASE_URL: servers.databaseUrl,
    REDIS_SESSION_URL: servers.redisSessionUrl,
    REDIS_CACHE_URL: servers.redisCacheUrl,
    EVENT_TRANSPORT: surroundings.eventTransport,
    PORT: String(own?.port ?? spec.port),
    INTERNAL_PORT: String(own?.internalPort ?? spec.port + 1000),
    MELMASTOON_DATA: surroundings.dataFolder,
    JOB_SCHEDULES: spec.schedules ? 'on' : 'off',
  }
}

/** Values of the caller have precedence. */
function defaults(spec: ServiceSpec, surroundings: Surroundings): Record<string, string> {
  const all: Record<string, string> = {
    HOST: '127.0.0.1',
    SHUTDOWN_TIMEOUT: `${SERVICE_SHUTDOWN_MS}ms`,
    INTERNAL_SECRET: surroundings.secrets.get('internal'),
    NODE_COMPILE_CACHE: `${surroundings.dataFolder}/compile-cache`,
  }
  for (const [name, template] of Object.entries(spec.env)) {
    all[name] = fillTemplate(template, spec, surroundings)
  }
  const missing = Object.entries(all).filter(([name]) => !surroundings.inherited[name])
  return Object.fromEntries(missing)
}

/**
 * `{platform-sandbox.url}`, `{platform-sandbox.internal-url}`, `{platform-sandbox.port}`,
 * `{secret.handoff}`, `{private-key.sync-token}`, `{public-keys.sync-token}`.
 */
function fillTemplate(template: string, spec: ServiceSpec, surroundings: Surroundings): string {
  return template.replaceAll(/\{([a-z][a-z0-9-]*)\.([a-z0-9-]+)\}/g, (whole, subject, part) => {
    const { secrets } = surroundings
    if (subject === 'secret') return secrets.get(String(part))
    if (subject === 'private-key') return privateKeyOf(secrets.get(`key-${part}`))
    if (subject === 'public-keys') return publicKeysOf(secrets.get(`key-${part}`))
    const ports = surroundings.ports.get(String(subject))
    const value = ports && addressOf(ports)[String(part)]
    if (value !== undefined) return value
    throw badManifest(spec.folder, `melmastoon.service.env contains ${whole}, which is unknown.`)
  })
}

function addressOf({ port, internalPort }: ServicePorts): Readonly<Record<string, string>> {
  return {
    url: `http://127.0.0.1:${port}`,
    'internal-url': `http://127.0.0.1:${internalPort}`,
    port: String(port),
  }
}

function withoutNpm(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const inherited: Record<string, string> = {}
  for (const [name, value] of Object.entries(env)) {
    if (value !== undefined && !/^npm_/i.test(name)) inherited[name] = value
  }
  return inherited
}
