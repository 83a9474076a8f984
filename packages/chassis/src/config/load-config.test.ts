import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { baseConfig } from './base-config.ts'
import { ConfigError } from './config-error.ts'
import { defineConfig } from './define-config.ts'
import {
  envBool,
  envDuration,
  envInt,
  envList,
  envRatio,
  envSecret,
  envString,
  envUrl,
} from './env.ts'
import { loadConfig, placeholderConfig } from './load-config.ts'
import { Secret } from './secret.ts'

const group = {
  workers: envInt('WORKERS', { min: 1, max: 16 }),
  verbose: envBool('VERBOSE', { default: false }),
  wait: envDuration('WAIT', { defaultMs: 250, maxMs: 10_000 }),
  rate: envRatio('RATE', { default: 1 }),
  origins: envList('ORIGINS', { default: [] }),
  upstream: envUrl('UPSTREAM_URL', { optional: true }),
  secrets: { pepper: envSecret('PEPPER') },
}
const envToConfig = (env: Record<string, string>) => loadConfig(env, group)
const good = { WORKERS: '4', PEPPER: 'a-long-enough-pepper' }

function problemsOf(run: () => unknown): string[] {
  try {
    run()
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ variable }) => variable)
    throw error
  }
  return []
}

describe('loadConfig', () => {
  it('parses values and applies defaults', () => {
    const config = envToConfig({ ...good, WAIT: '5s', ORIGINS: 'a, b', VERBOSE: 'true' })
    expect(config).toMatchObject({ workers: 4, verbose: true, wait: 5000, rate: 1 })
    expect(config.origins).toEqual(['a', 'b'])
    expect(config.upstream).toBeUndefined()
    expect(config.secrets.pepper.reveal()).toBe('a-long-enough-pepper')
  })

  it('reports all problems together and never a value', () => {
    const bad = { WORKERS: '0x10', WAIT: '5', RATE: '2', PEPPER: 'short', UPSTREAM_URL: 'ftp://x' }
    expect(problemsOf(() => envToConfig(bad))).toEqual([
      'WORKERS',
      'WAIT',
      'RATE',
      'UPSTREAM_URL',
      'PEPPER',
    ])
    expect(() => envToConfig(bad)).not.toThrow(/short|ftp:\/\/x/)
  })

  it('ends with the exit code for bad configuration', () => {
    expect(new ConfigError([]).exitCode).toBe(78)
  })

  it.each([
    ['WORKERS', ''],
    ['WORKERS', '   '],
    ['WORKERS', '17'],
    ['WORKERS', '1e1'],
    ['WORKERS', 'Infinity'],
    ['VERBOSE', 'yes'],
    ['WAIT', '11s'],
    ['RATE', '1.1'],
    ['ORIGINS', 'a,,b'],
  ])('rejects %s=%j', (variable, value) => {
    expect(problemsOf(() => envToConfig({ ...good, [variable]: value }))).toEqual([variable])
  })

  it('compares settings only when each of them is valid', () => {
    const check = () => {
      throw new TypeError('must not run')
    }
    expect(problemsOf(() => loadConfig({}, group, check))).toEqual(['WORKERS', 'PEPPER'])
    const compare = () =>
      loadConfig(good, group, (config, problem) => {
        if (config.workers === 4) problem('WORKERS', 'must differ')
      })
    expect(problemsOf(compare)).toEqual(['WORKERS'])
  })
})

describe('printing', () => {
  it('hides a secret in every form', () => {
    const secret = new Secret('hunter2hunter2')
    const forms = [String(secret), JSON.stringify({ secret }), inspect({ secret }, { depth: 9 })]
    for (const form of forms) expect(form).not.toContain('hunter2')
    expect(Object.keys(secret)).toEqual([])
  })

  it('hides passwords inside connection URLs', () => {
    const env = { DATABASE_APP_URL: 'postgres://app:hunter2@db/mel', PORT: '8081' }
    const config = baseConfig(env, { service: 's', schema: 'bff', defaultPort: 1 })
    expect(config.appUrl).toContain('hunter2')
    expect(JSON.stringify(config) + inspect(config)).not.toContain('hunter2')
    expect(JSON.stringify(config)).toContain('postgres://[redacted]@db/mel')
  })
})

describe('baseConfig', () => {
  const options = { service: 'bff-x', schema: 'bff_x', defaultPort: 8081 }

  it('derives one URL per role from DATABASE_URL', () => {
    const config = baseConfig({ DATABASE_URL: 'postgres://boss:pw@db:5433/mel' }, options)
    expect(config.databaseUrl).toBe('postgres://boss:pw@db:5433/mel')
    expect(config.appUrl).toBe('postgres://bff_x_app@db:5433/mel')
    expect(config.relayUrl).toBe('postgres://bff_x_relay@db:5433/mel')
    expect(config.ownerUrl).toBe('postgres://bff_x_owner@db:5433/mel')
  })

  it('limits the shutdown to less than the nine seconds of the platform', () => {
    expect(problemsOf(() => baseConfig({ SHUTDOWN_TIMEOUT: '10s' }, options))).toEqual([
      'SHUTDOWN_TIMEOUT',
    ])
    expect(problemsOf(() => baseConfig({ DATABASE_URL: 'not a URL' }, options))).toEqual([
      'DATABASE_URL',
    ])
  })
})

describe('placeholders', () => {
  it('replace required settings and refer to no running server', () => {
    const config = placeholderConfig({
      ...group,
      workers: envInt('WORKERS', { default: 4 }),
      required: envUrl('REQUIRED_URL'),
    })
    expect(config).toMatchObject({ required: 'http://127.0.0.1:1', verbose: false })
    expect(config.upstream).toBeUndefined()
    expect(config.secrets.pepper.reveal()).toHaveLength(16)
  })

  it('are reported missing where a setting has none', () => {
    expect(problemsOf(() => placeholderConfig({ name: envString('NAME') }))).toEqual(['NAME'])
  })
})

describe('defineConfig', () => {
  const definition = defineConfig({
    service: 'bff-x',
    schema: 'bff_x',
    defaultPort: 8081,
    settings: {
      host: envString('HOST', { default: '127.0.0.1' }),
      upstream: envUrl('UPSTREAM_URL'),
      secrets: { pepper: envSecret('PEPPER') },
    },
    check(config, problem) {
      if (config.upstream.endsWith('/')) problem('UPSTREAM_URL', 'must not end with a slash')
    },
  })
  const env = {
    UPSTREAM_URL: 'http://upstream',
    PEPPER: 'a-long-enough-pepper',
    IDEMPOTENCY_SECRET: 'a secret for tests with sufficient length',
  }

  it('reads shared and own settings together; own ones replace shared ones', () => {
    const config = definition.read(env)
    expect(config).toMatchObject({ host: '127.0.0.1', port: 8081, jobSchedules: 'off' })
    expect(config.secrets.pepper.reveal()).toBe(env.PEPPER)
    expect(config.secrets.idempotency.reveal()).toBe(env.IDEMPOTENCY_SECRET)
    expect(problemsOf(() => definition.read({}))).toEqual([
      'IDEMPOTENCY_SECRET',
      'PEPPER',
      'UPSTREAM_URL',
    ])
  })

  it('compares settings with each other', () => {
    const bad = { ...env, UPSTREAM_URL: 'http://upstream/' }
    expect(problemsOf(() => definition.read(bad))).toEqual(['UPSTREAM_URL'])
  })

  it('trusts a host header only behind proxies (D24)', () => {
    const named = { ...env, TRUSTED_HOST_HEADER: 'x-original-host' }
    expect(problemsOf(() => definition.read(named))).toEqual(['TRUSTED_HOST_HEADER'])
    const proxied = definition.read({ ...named, TRUST_PROXY_HOPS: '1' })
    expect(proxied.trustedHostHeader).toBe('x-original-host')
  })

  it('reads the settings of the database, and the file of its authorities', () => {
    expect(definition.read(env).database).toEqual({
      poolMin: 2,
      poolMax: undefined,
      statementTimeoutMs: 5_000,
      idleInTransactionMs: 10_000,
      tls: 'auto',
      ca: undefined,
    })
    const given = { DATABASE_POOL_MAX: '20', DATABASE_CA_FILE: import.meta.filename }
    const { database } = definition.read({ ...env, ...given })
    expect([database.poolMax, database.ca]).toEqual([20, expect.stringContaining('poolMax')])
    const missing = { ...env, DATABASE_CA_FILE: '/no/such/file.pem' }
    expect(problemsOf(() => definition.read(missing))).toEqual(['DATABASE_CA_FILE'])
  })

  it('needs no own setting for migrations and jobs, and none at all to be described', () => {
    expect(definition.readBase({}).relayUrl).toContain('bff_x_relay@')
    const described = definition.placeholder()
    expect(described.databaseUrl).toBe('postgres://127.0.0.1:1')
    expect(described.appUrl).toBe('postgres://127.0.0.1:1')
    expect(described.logLevel).toBe('silent')
  })
})
