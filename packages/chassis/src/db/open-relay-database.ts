import { createLogger, type Logger } from '../telemetry/index.ts'
import { createDatabase, type Database } from './database.ts'
import type { DatabaseTlsSettings } from './database-tls.ts'

export interface OperatorConfig {
  readonly service: string
  readonly logLevel: NonNullable<Parameters<typeof createLogger>[0]['level']>
  readonly relayUrl: string
  readonly database: DatabaseTlsSettings
}

export interface RelayDatabase extends AsyncDisposable {
  readonly db: Database
  readonly logger: Logger
}

const POOL_MAX = 2

/** For commands of a service that work for all tenants: jobs and the outbox command. */
export function openRelayDatabase(config: OperatorConfig): RelayDatabase {
  const logger = createLogger({ service: config.service, level: config.logLevel })
  const onError = (error: unknown) => logger.warn({ event: 'dependency', error }, 'database error')
  const { relayUrl: url, database: tls } = config
  const db = createDatabase({ url, tls, poolMax: POOL_MAX, onError })
  return { db, logger, [Symbol.asyncDispose]: () => db[Symbol.asyncDispose]() }
}
