import { createDatabase, type Queryable, rollback, sql } from '@melmastoon/chassis/db'
import { contextJob } from '@melmastoon/chassis/jobs'
import {
  buildContext,
  createService,
  runServiceCommand,
  serviceMigrations,
} from '@melmastoon/chassis/service'
import { dedicatedEnvironment, eventually, testEnvironment, testService } from '@melmastoon/testkit'
import { service } from '@melmastoon/testkit/example-service'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'

type ExampleContext = ReturnType<typeof service.createContext>

const UPSTREAM = { EXAMPLE_UPSTREAM_URL: 'http://127.0.0.1:1' }

describe('the context', () => {
  it('disposes its resources in reverse order', async () => {
    const disposed: string[] = []
    const resource = (name: string) => ({ [Symbol.dispose]: () => void disposed.push(name) })
    const ctx = buildContext(service, service.config.placeholder(), {})
    ctx.use(resource('first'))
    ctx.use(resource('second'))
    await ctx[Symbol.asyncDispose]()
    expect(disposed).toEqual(['second', 'first'])
  })

  it('is disposed when it, or the app on it, cannot be built', async () => {
    const disposed: string[] = []
    const resource = (name: string) => ({ [Symbol.dispose]: () => void disposed.push(name) })
    const env = { ...UPSTREAM, ...SECRETS }
    const fails = (what: string) => () => {
      throw new TypeError(what)
    }
    const withoutContext: typeof service = {
      ...service,
      createContext(base) {
        base.use(resource('context'))
        return fails('no context')()
      },
    }
    await expect(createService(withoutContext, env)).rejects.toThrow('no context')
    await eventually(() => expect(disposed).toEqual(['context']))
    const withoutRoutes: typeof service = {
      ...service,
      routes(_app, ctx) {
        ctx.use(resource('routes'))
        return fails('no routes')()
      },
    }
    await expect(createService(withoutRoutes, env)).rejects.toThrow('no routes')
    expect(disposed).toEqual(['context', 'routes'])
  })
})

const SECRETS = {
  IDEMPOTENCY_SECRET: 'a secret for tests with sufficient length',
  SESSION_KEYS: `k1:active:${Buffer.alloc(32, 'session').toString('base64url')}`,
  LOG_LEVEL: 'silent',
}

describe('a started service', () => {
  it('runs without subscriptions and with workers, and stops them', async () => {
    const events: string[] = []
    const { subscriptions: _none, ...rest } = service
    const definition: typeof service = {
      ...rest,
      prepare: async () => events.push('prepared'),
      startWorkers: async () => {
        events.push('worker started')
        return [{ stop: async () => void events.push('worker stopped') }]
      },
    }
    {
      await using running = await testService(definition, { env: { ...UPSTREAM, ...SECRETS } })
      expect(running.consumer).toBeNull()
      const ready = await running.get('/health/ready')
      expect(ready.body).toMatchObject({ checks: { postgres: 'ok', 'redis-cache': 'ok' } })
    }
    expect(events).toEqual(['prepared', 'worker started', 'worker stopped'])
  })
})

describe('the commands of a service', () => {
  let printed: string[]
  beforeEach(() => {
    printed = []
    const print = (chunk: string | Uint8Array) => printed.push(String(chunk)) > 0
    vi.spyOn(process.stdout, 'write').mockImplementation(print)
    vi.spyOn(process.stderr, 'write').mockImplementation(print)
  })
  afterEach(() => vi.restoreAllMocks())

  it('migrate an empty database, and find nothing to do the second time', async () => {
    await using environment = await dedicatedEnvironment({
      ...service,
      migrations: new URL('./no-migrations/', import.meta.url),
    })
    expect(await environment.query("select to_regclass('example.notes') as t")).toEqual([
      { t: null },
    ])
    for (let run = 0; run < 2; run += 1) {
      expect(await runServiceCommand(service, environment.env, ['migrate'])).toBe(0)
    }
    expect(await environment.countRows('notes')).toBe(0)
  })

  it('migrate sets the limits of the roles', async () => {
    await using environment = await dedicatedEnvironment(service)
    const env: Record<string, string> = {
      ...environment.env,
      DATABASE_STATEMENT_TIMEOUT: '2s',
      DATABASE_IDLE_IN_TRANSACTION_TIMEOUT: '4s',
    }
    const limitsOf = async (url: string | undefined) => {
      await using db = createDatabase({ url: url ?? '', poolMax: 1, onError: () => undefined })
      return db.query(sql`select current_setting('statement_timeout') as statement,
        current_setting('idle_in_transaction_session_timeout') as idle`)
    }
    expect(await limitsOf(env['DATABASE_APP_URL'])).toEqual([{ statement: '5s', idle: '10s' }])
    expect(await runServiceCommand(service, env, ['migrate'])).toBe(0)
    for (const url of [env['DATABASE_APP_URL'], env['DATABASE_RELAY_URL']]) {
      expect(await limitsOf(url)).toEqual([{ statement: '2s', idle: '4s' }])
    }
  })

  it('record the names of the files, and apply development data only on request (D28)', async () => {
    const named = { ...service, migrations: new URL('./seed-names/', import.meta.url) }
    await using environment = await testEnvironment(named)
    const recorded = async () => {
      const rows = await environment.query<{ version: string }>(
        'select version from example.schema_migrations order by version',
      )
      return rows.map(({ version }) => version)
    }
    const standard = [
      '0001_init',
      '0001_shared',
      '0002_hotels',
      '0002_idempotency_isolation',
      '0003_idempotency_key_order',
      '0004_outbox_lookup',
      '0005_outbox_contract',
    ]
    const migrated = async (...words: string[]) => {
      expect(await runServiceCommand(named, environment.env, ['migrate', ...words])).toBe(0)
      return recorded()
    }
    expect(await migrated()).toEqual(standard)
    expect(await environment.countRows('hotels')).toBe(0)
    const all = [...standard, '0003_seed_dev_hotels'].toSorted()
    expect(await migrated('--with-development-data')).toEqual(all)
    expect(await environment.countRows('hotels')).toBe(1)
    expect(await migrated()).toEqual(all)
    const migrations = await serviceMigrations(named, { withDevelopmentData: true })
    const url = environment.adminUrl
    expect(await rollback({ url, schema: environment.schema, migrations })).toEqual([
      '0003_seed_dev_hotels',
    ])
    expect(await recorded()).toEqual(standard)
    expect(await runServiceCommand(named, {}, ['migrate', '--all'])).toBe(2)
  })

  it('include those of the service itself, under the role of relays and jobs', async () => {
    await using environment = await testEnvironment(service)
    const seen: unknown[] = []
    const commands = {
      role: async (words: readonly string[], db: Queryable) => {
        seen.push(words, ...(await db.query(sql`select current_user as role`)))
        return 3
      },
    }
    const { DATABASE_URL } = environment.env
    const run = (...words: string[]) =>
      runServiceCommand({ ...service, commands }, { DATABASE_URL }, words)
    expect(await run('role', 'a', 'b')).toBe(3)
    expect(seen).toEqual([['a', 'b'], { role: `${environment.schema}_relay` }])
    expect(await run('unknown')).toBe(2)
  })

  it('list and run jobs, and show the outbox, without the settings of the server', async () => {
    await using environment = await testEnvironment(service)
    const { DATABASE_URL, LOG_LEVEL } = environment.env
    const run = (...words: string[]) =>
      runServiceCommand(service, { DATABASE_URL, LOG_LEVEL }, words)
    expect(await run('jobs', 'list')).toBe(0)
    const [job = ''] = printed.join('').split('\n')
    expect(service.jobs.map(({ name }) => name)).toContain(job)
    expect(await run('jobs', 'run', job)).toBe(0)
    expect(printed.join('')).toContain('"outcome":"done"')
    expect(await run('outbox', 'depth')).toBe(0)
    expect(printed.at(-1)).toContain('"depth":0')
  })

  it('reject an unknown command with the usage, and a bad environment with code 78', async () => {
    expect(await runServiceCommand(service, {}, ['seed'])).toBe(2)
    expect(printed.join('')).toContain('main.ts migrate')
    expect(await runServiceCommand(service, { DATABASE_URL: 'none' }, ['migrate'])).toBe(78)
    expect(printed.at(-1)).toContain('DATABASE_URL')
  })
})

describe('a job that uses the context', () => {
  const sweep = contextJob({
    name: 'sweep-drafts',
    cron: '* * * * * *',
    timeoutMs: 5_000,
    async run({ sessionRedis, keys, relayDb }: ExampleContext, { db, signal }) {
      signal.throwIfAborted()
      if (db !== relayDb) throw new TypeError('not the relay database')
      return { runs: await sessionRedis.incr(keys.prefix('sweep-count')) }
    },
  })
  const definition: typeof service = { ...service, jobs: [...service.jobs, sweep] }

  it('P11 runs by schedule, by request and by command, each time with its lease', async () => {
    const env = { ...UPSTREAM, ...SECRETS, JOB_SCHEDULES: 'on' }
    await using running = await testService(definition, { env })
    const stored = async () => {
      const rows = await running.environment.query<{ runs: number; leased: boolean }>(
        `select (last_result->'summary'->>'runs')::int as runs, lease_until is not null as leased
         from example.job_run where name = 'sweep-drafts'`,
      )
      return rows[0]?.leased === false ? rows[0].runs : 0
    }
    await eventually(async () => expect(await stored()).toBeGreaterThan(0))
    const request = () =>
      fetch(new URL('/internal/jobs/sweep-drafts', running.internalUrl), {
        method: 'POST',
        headers: { 'x-internal-secret': running.environment.env['INTERNAL_SECRET'] ?? '' },
      })
    await eventually(async () => {
      const response = await request()
      expect(await response.json()).toMatchObject({ outcome: 'done' })
    })
    const lines: string[] = []
    vi.spyOn(process.stdout, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
    await eventually(async () => {
      const words = ['jobs', 'run', 'sweep-drafts']
      expect(await runServiceCommand(definition, running.environment.env, words)).toBe(0)
    })
    expect(lines.at(-1)).toMatch(/"outcome":"done".*"runs":\d/)
    vi.restoreAllMocks()
  })

  it('needs all settings of the server for the command, and only that job does', async () => {
    await using environment = await testEnvironment(definition)
    const { DATABASE_URL = '', LOG_LEVEL = '' } = environment.env
    const errors = vi.spyOn(process.stderr, 'write').mockImplementation(() => true)
    const output = vi.spyOn(process.stdout, 'write').mockImplementation(() => true)
    const run = (job: string) =>
      runServiceCommand(definition, { DATABASE_URL, LOG_LEVEL }, ['jobs', 'run', job])
    expect(await run('sweep-drafts')).toBe(78)
    expect(String(errors.mock.calls.at(-1))).toContain('IDEMPOTENCY_SECRET')
    expect(await run('inbox-prune')).toBe(0)
    expect(await run('no-such-job')).toBe(1)
    expect(String(output.mock.calls.at(-1))).toContain('MELMASTOON.JOB.UNKNOWN')
    vi.restoreAllMocks()
  })

  it('rejects a name that is not kebab-case', () => {
    expect(() => contextJob({ name: 'Sweep Drafts', run: async () => ({}) })).toThrow(TypeError)
  })
})
