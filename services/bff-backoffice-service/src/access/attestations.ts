import { defineScript, type KeyPrefix, type Redis } from '@melmastoon/chassis/redis'
import { type Id, newId, problem } from '@melmastoon/domain'
import type { Operator } from './operator.ts'
import type { StoreEpoch } from './store-epoch.ts'

/** The action that a second factor confirms, and nothing else. */
export interface StepUpPurpose {
  /** For example `lock.revoke`. */
  readonly action: string
  readonly resourceKind: string
  readonly resourceId: string
}

export interface AttestationUse {
  readonly purpose: StepUpPurpose
  /** The same for every attempt of the request: `claim.upstreamKey('step-up')`. */
  readonly usedBy: string
}

type Confirming = Pick<Operator, 'tenantId' | 'operatorId' | 'jkt' | 'sessionId'>

export const ATTESTATION_MS = 5 * 60_000
/** As long as an idempotency key: a repeated request finds the attestation that it used. */
const USED_MS = 24 * 3_600_000

/** The binding while it is unused, then the binding and the request that used it. */
const CONSUME_LUA = `
local stored = redis.call('GET', KEYS[1])
if stored == ARGV[2] then return 1 end
if stored ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
`

/**
 * Attestations of second factors: each is used by one request. It is bound to the epoch of the
 * store: a replica that took over may not know that an attestation was used.
 */
export class Attestations {
  readonly #redis: Redis
  readonly #prefix: KeyPrefix
  readonly #epoch: StoreEpoch
  readonly #consume: (key: string, unused: string, used: string) => Promise<boolean>

  constructor(redis: Redis, prefix: KeyPrefix, epoch: StoreEpoch) {
    this.#redis = redis
    this.#prefix = prefix
    this.#epoch = epoch
    const script = defineScript(redis, { name: 'mfa-consume', lua: CONSUME_LUA, numberOfKeys: 1 })
    this.#consume = async (key, unused, used) =>
      (await script.run([key], [unused, used, USED_MS])) === 1
  }

  async issue(operator: Confirming, purpose: StepUpPurpose): Promise<Id<'mfa'>> {
    const id = newId('mfa')
    const key = `${this.#prefix}${id}`
    const binding = bindingOf(operator, purpose, await this.#currentEpoch())
    await this.#redis.set(key, binding, 'PX', ATTESTATION_MS).catch(unavailable)
    return id
  }

  /**
   * False: unknown, expired, used by another request, or issued for something else. A wrong use
   * does not consume it.
   */
  async consume(
    id: Id<'mfa'>,
    operator: Confirming,
    { purpose, usedBy }: AttestationUse,
  ): Promise<boolean> {
    const epoch = await this.#currentEpoch()
    const unused = bindingOf(operator, purpose, epoch)
    const key = `${this.#prefix}${id}`
    const isUsed = await this.#consume(key, unused, `${unused} ${usedBy}`).catch(unavailable)
    // After a reconnection in between another server may have replied.
    return isUsed && (await this.#currentEpoch()) === epoch
  }

  async #currentEpoch(): Promise<string> {
    const epoch = this.#epoch
    return epoch.isCurrent ? epoch.value : await epoch.read().catch(unavailable)
  }
}

function bindingOf(
  operator: Confirming,
  { action, resourceKind, resourceId }: StepUpPurpose,
  epoch: string,
): string {
  const { tenantId, operatorId, jkt, sessionId } = operator
  const purpose = [action, resourceKind, resourceId]
  return JSON.stringify([tenantId, operatorId, jkt, sessionId, ...purpose, epoch])
}

function unavailable(cause: unknown): never {
  throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE', { cause })
}
