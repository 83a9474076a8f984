import type { Env, ServerConfig } from '../config/index.ts'
import { openRelayDatabase } from '../db/index.ts'
import { type JobHost, needsContext } from '../jobs/index.ts'
import { jobHost } from './build-apps.ts'
import type { ServiceBase } from './create-base.ts'
import { buildContext } from './create-service.ts'
import type { ServiceDefinition, ServiceOverrides } from './service-definition.ts'

type OpenJobHost = JobHost & AsyncDisposable

/**
 * What `jobs run <name>` needs: the whole context, with all settings, for a job that uses it, and
 * otherwise the relay database alone.
 */
export async function openJobHost<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, env: Env, name: string): Promise<OpenJobHost> {
  const job = definition.jobs.find((candidate) => candidate.name === name)
  if (job !== undefined && needsContext(job)) return openWithContext(definition, env)
  const base = definition.config.readBase(env)
  const jobs = definition.jobs.flatMap((one) => (needsContext(one) ? [] : [one]))
  return { ...openRelayDatabase(base), jobs, instance: base.instance }
}

/** Prepared as for serving, but without listeners, relay, consumer and workers. */
async function openWithContext<
  C extends ServerConfig,
  X extends ServiceBase<C>,
  O extends ServiceOverrides,
>(definition: ServiceDefinition<C, X, O>, env: Env): Promise<OpenJobHost> {
  const ctx = buildContext(definition, definition.config.read(env), {} as O)
  try {
    await definition.prepare?.(ctx)
  } catch (error) {
    await ctx[Symbol.asyncDispose]()
    throw error
  }
  const close = () => ctx[Symbol.asyncDispose]()
  return { ...jobHost(definition, ctx), [Symbol.asyncDispose]: close }
}
