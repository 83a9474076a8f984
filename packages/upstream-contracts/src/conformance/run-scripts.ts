import type { UpstreamName } from '../contract.ts'
import { BrokenPromise, type CheckResult, type Report } from './check.ts'
import { createClients, type Stage } from './clients.ts'
import { CONTRACTS } from './contracts.ts'
import { findScene, type Scene } from './find-scene.ts'
import { SCRIPTS } from './scripts/index.ts'
import type { Target } from './wire.ts'

export interface ScriptOptions {
  readonly target: Target
  readonly upstreams: readonly UpstreamName[]
  readonly now: Date
  readonly cardToken: string
  readonly report: Report
}

/** One line per operation: kept when all its calls went as promised, and there was one. */
export async function runScripts(options: ScriptOptions): Promise<void> {
  const failures = new Map<string, string | null>()
  const clients = createClients(options.target, {
    onCall(operation, failure) {
      const known = failures.get(operation) ?? null
      failures.set(operation, known ?? (failure === null ? null : messageOf(failure)))
    },
  })
  let scene: Promise<Scene> | undefined
  const stage: Stage = {
    clients,
    cardToken: options.cardToken,
    scene() {
      scene ??= findScene(clients, options.now)
      return scene
    },
  }
  for (const script of SCRIPTS.filter(({ upstream }) => options.upstreams.includes(upstream))) {
    const ended = await script.run(stage).then(() => undefined, messageOf)
    for (const name of Object.keys(CONTRACTS[script.upstream].operations)) {
      const operation = `${script.upstream}.${name}`
      const failure = failures.get(operation)
      options.report(toResult(operation, failure === undefined ? unreached(ended) : failure))
    }
  }
}

function toResult(operation: string, failure: string | null): CheckResult {
  const name = `${operation} answers as the contract says`
  return failure === null ? { name, isKept: true } : { name, isKept: false, seen: failure }
}

function unreached(ended: string | undefined): string {
  return ended === undefined ? 'no script calls it' : `not reached: ${ended}`
}

function messageOf(error: unknown): string {
  if (error instanceof BrokenPromise) return error.message
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
