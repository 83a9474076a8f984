import { createIdempotency, type IdempotencyStore } from '@melmastoon/chassis/idempotency'
import type { ServiceBase } from '@melmastoon/chassis/service'
import { platformRegistry } from '@melmastoon/platform-events'
import { type ServiceVerifier, sharedSecretVerifier } from '@melmastoon/upstream-contracts/auth'
import type { SandboxConfig } from './config.ts'
import type { ModuleHost } from './module.ts'
import { createModules, type Modules } from './modules.ts'
import { createScenarioBoard, type StartedBoard } from './scenarios/create-scenario-board.ts'

export interface SandboxContext extends ServiceBase<SandboxConfig>, ModuleHost {
  readonly config: SandboxConfig
  readonly scenarios: StartedBoard
  readonly idempotency: IdempotencyStore
  readonly verifier: ServiceVerifier
  readonly modules: Modules
}

/** The composition root: every collaborator, built once, in the order of their dependencies. */
export function createContext(base: ServiceBase<SandboxConfig>): SandboxContext {
  const { config, db, announcements, metrics, errors, schema } = base
  const scenarios = base.use(
    createScenarioBoard({ db, source: announcements, onError: errors.for('scenarios') }),
  )
  const host = { ...base, registry: platformRegistry, scenarios }
  return {
    ...host,
    idempotency: createIdempotency({
      db,
      schema,
      secret: Buffer.from(config.secrets.idempotency.reveal()),
      metrics,
    }),
    verifier: sharedSecretVerifier(config.secrets.service.reveal()),
    modules: createModules(host),
  }
}
