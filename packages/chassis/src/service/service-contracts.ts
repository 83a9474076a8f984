import type { EventRegistry } from '@melmastoon/events'
import type { ServerConfig } from '../config/index.ts'
import { isDevelopmentData, type Migration, readMigrations, sharedMigrations } from '../db/index.ts'
import { renderOpenApi } from '../http/index.ts'
import { buildPublicApp } from './build-apps.ts'
import type { ServiceBase } from './create-base.ts'
import { buildContext } from './create-service.ts'
import type { ServiceDefinition, ServiceOverrides } from './service-definition.ts'

/** What a service promises to others; `npm run contracts` writes it to files. */
export interface ServiceContracts {
  readonly schema: string
  migrations(): Promise<readonly Migration[]>
  readonly registry: Pick<EventRegistry, 'definitions' | 'validate' | 'contractOf'>
  /** The rendered OpenAPI document. Needs no running database or Redis. */
  openApi(): Promise<string>
}

export function serviceContracts<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>): ServiceContracts {
  return {
    schema: definition.config.schema,
    registry: definition.registry,
    migrations: () => serviceMigrations(definition),
    async openApi() {
      const config = definition.config.placeholder()
      await using ctx = buildContext(definition, config, {} as O)
      const app = await buildPublicApp(definition, ctx)
      try {
        return await renderOpenApi(app)
      } finally {
        await app.close()
      }
    },
  }
}

type Migrated = Pick<ServiceDefinition, 'config' | 'migrations' | 'idempotencyIsolation'>

export interface ServiceMigrationOptions {
  /** Also those of development data (D28). They may run later than files with higher numbers. */
  readonly withDevelopmentData?: boolean
}

/** The shared tables, then the service's own. */
export async function serviceMigrations(
  { config, migrations, idempotencyIsolation }: Migrated,
  { withDevelopmentData = false }: ServiceMigrationOptions = {},
): Promise<Migration[]> {
  const { schema } = config
  const shared = await sharedMigrations({ schema, idempotencyIsolation })
  const own = await readMigrations(migrations, { schema })
  const wanted = own.filter((migration) => withDevelopmentData || !isDevelopmentData(migration))
  return [...shared, ...wanted]
}
