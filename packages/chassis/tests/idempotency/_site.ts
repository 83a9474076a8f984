import { type SpawnedProcess, spawnProcess } from '@melmastoon/testkit'
import type { App } from '../../src/http/build-app.ts'
import { createTestApp, type TestAppOptions } from './_app.ts'
import { createFixture, type Fixture, ISOLATED, TEST_SECRET } from './_database.ts'
import type { ServerSettings } from './_server.ts'
import { startUpstream, type Upstream } from './_upstream.ts'

export interface Site extends AsyncDisposable {
  readonly fixture: Fixture
  readonly upstream: Upstream
  readonly base: string
  /** One more app on the same database, closed with the site. */
  listen(changes?: Partial<TestAppOptions>): Promise<string>
  /** The same app as a separate process, which can be killed. */
  spawn(settings: { leaseMs: number; crashAt?: string }): Promise<ServerProcess>
}

export interface ServerProcess {
  readonly base: string
  readonly process: SpawnedProcess
}

/** Database, upstream and one listening app. */
export async function startSite(
  schema: string = ISOLATED,
  changes: Partial<TestAppOptions> = {},
): Promise<Site> {
  const fixture = await createFixture(schema)
  const upstream = await startUpstream()
  const apps: App[] = []
  const processes: SpawnedProcess[] = []
  const listen = async (more: Partial<TestAppOptions> = {}) => {
    const defaults = { db: fixture.app, schema, secret: TEST_SECRET, upstreamUrl: upstream.url }
    const app = await createTestApp({ ...defaults, leaseMs: 5_000, ...changes, ...more })
    apps.push(app)
    return app.listen({ port: 0, host: '127.0.0.1' })
  }
  const spawn = async ({ leaseMs, crashAt }: { leaseMs: number; crashAt?: string }) => {
    const settings: ServerSettings = {
      databaseUrl: fixture.urls.appUrl,
      schema,
      secret: TEST_SECRET.toString('hex'),
      upstreamUrl: upstream.url,
      leaseMs,
    }
    const process = spawnProcess(new URL('./_server.ts', import.meta.url), {
      args: [JSON.stringify(settings)],
      env: { MELMASTOON_CRASH_AT: crashAt, NODE_ENV: 'test' },
    })
    processes.push(process)
    const line = await process.waitForLine('listening ', { timeoutMs: 45_000 })
    return { process, base: line.replace('listening ', '') }
  }
  return {
    fixture,
    upstream,
    base: await listen(),
    listen,
    spawn,
    async [Symbol.asyncDispose]() {
      await upstream[Symbol.asyncDispose]()
      for (const process of processes) await process[Symbol.asyncDispose]()
      for (const app of apps) await app.close()
      await fixture[Symbol.asyncDispose]()
    },
  }
}
