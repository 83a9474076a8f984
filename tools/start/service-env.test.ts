import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { discoverServices } from './discover-services.ts'
import { assignPorts } from './ports.ts'
import { type Surroundings, serviceEnv } from './service-env.ts'
import type { ServiceSpec } from './service-spec.ts'
import { tryCommands, withoutPassword } from './welcome.ts'

const REPOSITORY = fileURLToPath(new URL('../../', import.meta.url))

const spec: ServiceSpec = {
  name: 'guest',
  folder: '/x',
  entry: '/x/main.ts',
  port: 8081,
  schedules: true,
  after: [],
  env: {
    SEARCH_URL: '{sandbox.url}/search',
    OPS_URL: '{sandbox.internal-url}',
    KEYS: 'k1:active:{secret.handoff}',
    MODE: 'demo',
  },
  try: [
    'curl http://127.0.0.1:8081/x',
    'open http://a.localhost:8081',
    'curl http://h:9081/metrics',
  ],
  onlyWithoutProducts: false,
}

const surroundings = (inherited: Record<string, string> = {}): Surroundings => ({
  inherited,
  servers: {
    databaseUrl: 'postgres://d',
    redisSessionUrl: 'redis://s',
    redisCacheUrl: 'redis://c',
  },
  eventTransport: 'redis-streams',
  ports: new Map([
    ['guest', { port: 7001, internalPort: 7002 }],
    ['sandbox', { port: 7003, internalPort: 7004 }],
  ]),
  secrets: { get: (name) => `made-${name}` },
  dataFolder: '/data',
})

describe('serviceEnv', () => {
  it('contains a key that signs, and the key set that verifies it, the same in every start', () => {
    const env = { KEY: '{private-key.a}', KEYS: '{public-keys.a}', OTHER: '{private-key.b}' }
    const made = serviceEnv({ ...spec, env }, surroundings())
    const { d, ...known } = JSON.parse(made['KEY'] ?? '') as Record<string, string>
    expect(JSON.parse(made['KEYS'] ?? '')).toEqual({ keys: [known] })
    expect(d).toMatch(/^[\w-]{43}$/)
    expect(made['OTHER']).not.toBe(made['KEY'])
    expect(serviceEnv({ ...spec, env }, surroundings())).toEqual(made)
  })

  it('contains the servers, the ports and the variables of the manifest', () => {
    expect(serviceEnv(spec, surroundings({ LANG: 'C', npm_config_x: '1' }))).toEqual({
      LANG: 'C',
      HOST: '127.0.0.1',
      SHUTDOWN_TIMEOUT: '5000ms',
      INTERNAL_SECRET: 'made-internal',
      NODE_COMPILE_CACHE: '/data/compile-cache',
      SEARCH_URL: 'http://127.0.0.1:7003/search',
      OPS_URL: 'http://127.0.0.1:7004',
      KEYS: 'k1:active:made-handoff',
      MODE: 'demo',
      DATABASE_URL: 'postgres://d',
      REDIS_SESSION_URL: 'redis://s',
      REDIS_CACHE_URL: 'redis://c',
      EVENT_TRANSPORT: 'redis-streams',
      PORT: '7001',
      INTERNAL_PORT: '7002',
      MELMASTOON_DATA: '/data',
      JOB_SCHEDULES: 'on',
    })
  })

  it('lets the caller override the manifest, but not the ports and servers', () => {
    const env = serviceEnv(spec, surroundings({ MODE: 'mine', PORT: '1', HOST: '0.0.0.0' }))
    expect(env).toMatchObject({ MODE: 'mine', PORT: '7001', HOST: '0.0.0.0' })
  })

  it('sends payment webhooks to the booking service, which starts later, at its port', () => {
    const services = discoverServices(REPOSITORY)
    const named = (name: string) => {
      const service = services.find((candidate) => candidate.name === name)
      if (service === undefined) throw new Error(`no service is named ${name}`)
      return service
    }
    const [sandbox, booking] = [named('platform-sandbox'), named('bff-tenant-booking-service')]
    expect(services.indexOf(sandbox)).toBeLessThan(services.indexOf(booking))
    const moved = { MELMASTOON_BFF_TENANT_BOOKING_SERVICE_PORT: '8182' }
    const around = { ...surroundings(), ports: assignPorts(services, moved) }
    const sender = serviceEnv(sandbox, around)
    expect(sender['PAYMENT_WEBHOOK_URL']).toBe(
      'http://127.0.0.1:8182/bff/tenant-booking/v1/webhooks/payments',
    )
    const receiver = serviceEnv(booking, around)
    expect(sender['WEBHOOK_SECRET']).toBe(receiver['PAYMENT_WEBHOOK_SECRET'])
  })

  it('rejects a manifest that refers to an unknown service', () => {
    const wrong = { ...spec, env: { URL: '{missing.url}' } }
    expect(() => serviceEnv(wrong, surroundings())).toThrow(
      'contains {missing.url}, which is unknown',
    )
  })
})

describe('the welcome message', () => {
  it('contains the actual ports', () => {
    expect(tryCommands(spec, { port: 7001, internalPort: 7002 })).toEqual([
      'curl http://127.0.0.1:7001/x',
      'open http://a.localhost:7001',
      'curl http://h:7002/metrics',
    ])
  })

  it('hides passwords', () => {
    expect(withoutPassword('redis://u:pw@h:1/0')).toBe('redis://u:…@h:1/0')
    expect(withoutPassword('invalid')).toBe('a URL that cannot be read')
  })
})
