import { createDatabase } from '@melmastoon/chassis/db'
import { createMetrics } from '@melmastoon/chassis/telemetry'
import { createTestApp } from './_app.ts'

/** The test app as a separate process, configured by its only argument. */
export interface ServerSettings {
  readonly databaseUrl: string
  readonly schema: string
  readonly secret: string
  readonly upstreamUrl: string
  readonly leaseMs: number
}

const settings = JSON.parse(process.argv[2] ?? '{}') as ServerSettings
const app = await createTestApp({
  db: createDatabase({ url: settings.databaseUrl, poolMax: 5, onError: () => undefined }),
  schema: settings.schema,
  secret: Buffer.from(settings.secret, 'hex'),
  upstreamUrl: settings.upstreamUrl,
  leaseMs: settings.leaseMs,
  metrics: createMetrics('guest_book'),
})
const address = await app.listen({ port: 0, host: '127.0.0.1' })
process.stdout.write(`listening ${address}\n`)
