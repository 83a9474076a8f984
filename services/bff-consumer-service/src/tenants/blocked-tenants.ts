import { randomUUID } from 'node:crypto'
import {
  channel,
  createSubscriber,
  defineScript,
  type Redis,
  type Script,
} from '@melmastoon/chassis/redis'
import type { TenantId } from '@melmastoon/domain'

export interface Verdict {
  readonly blocked: boolean
  /** When the tenant service decided it: older news change nothing. */
  readonly decidedAtMs: number
}

/** Suspended tenants, kept out of whatever is composed from now on. */
export interface BlockedTenants extends Disposable {
  has(tenantId: TenantId): boolean
  /**
   * Catches up with what others have decided. Never fails: without Redis what is known holds, and
   * the search projection, which hears of suspensions too, is the second guard (D22).
   */
  refresh(): Promise<void>
  /** Known everywhere once it resolves; rejects when it could not be recorded. */
  decide(tenantId: TenantId, verdict: Verdict): Promise<void>
}

export interface BlockedTenantsOptions {
  /** The instance that evicts nothing. */
  readonly redis: Redis
  readonly onError: (error: unknown) => void
  readonly onCount: (count: number) => void
  readonly pollMs?: number
}

/** One field for each tenant that was ever suspended: when, and whether it still is. */
const VERDICTS_KEY = 'consumer:{blocked-tenants}'
/** Another name after every change. A number would come by again in a store that lost its data. */
const CHANGES_KEY = 'consumer:{blocked-tenants}:changes'

const DECIDE_LUA = `
local old = redis.call('HGET', KEYS[1], ARGV[1])
if old and tonumber(string.match(old, '^%d+')) > tonumber(ARGV[2]) then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. ' ' .. ARGV[3])
redis.call('SET', KEYS[2], ARGV[5])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 1
`

export function createBlockedTenants(options: BlockedTenantsOptions): BlockedTenants {
  return new SharedVerdicts(options)
}

class SharedVerdicts implements BlockedTenants {
  readonly #options: BlockedTenantsOptions
  readonly #script: Script
  readonly #channel: string
  readonly #timer: NodeJS.Timeout
  #verdicts: Verdicts = new Map()
  #changes: string | null = null

  constructor(options: BlockedTenantsOptions) {
    const { redis, pollMs = 1_000 } = options
    this.#options = options
    this.#script = defineScript(redis, { name: 'block-tenant', lua: DECIDE_LUA, numberOfKeys: 2 })
    this.#channel = channel(redis, 'blocked-tenants')
    const catchUp = () => void this.refresh()
    createSubscriber(redis)
      .subscribe(this.#channel, { onMessage: catchUp, onReconnect: catchUp })
      .catch(options.onError)
    // A broadcast may be lost; the poll costs one small read as long as nothing changes.
    this.#timer = setInterval(catchUp, pollMs)
    this.#timer.unref()
    catchUp()
  }

  has(tenantId: TenantId): boolean {
    return this.#verdicts.get(tenantId)?.blocked === true
  }

  async refresh(): Promise<void> {
    const { redis, onError } = this.#options
    try {
      const changes = await redis.get(CHANGES_KEY)
      if (changes === this.#changes) return
      const told = readVerdicts(await redis.hgetall(VERDICTS_KEY))
      await this.#restore(told)
      this.#adopt(told)
      this.#changes = changes
    } catch (error) {
      onError(error)
    }
  }

  async decide(tenantId: TenantId, verdict: Verdict): Promise<void> {
    await this.#record(tenantId, verdict)
    await this.refresh()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  async #record(tenantId: string, { blocked, decidedAtMs }: Verdict): Promise<void> {
    const state = blocked ? 'blocked' : 'free'
    const args = [tenantId, decidedAtMs, state, this.#channel, randomUUID()]
    await this.#script.run([VERDICTS_KEY, CHANGES_KEY], args)
  }

  /** Decisions are never undone, only followed: what the store has not, or older, it has lost. */
  async #restore(told: Verdicts): Promise<void> {
    for (const [tenantId, verdict] of this.#verdicts) {
      if (isLater(verdict, told.get(tenantId))) await this.#record(tenantId, verdict)
    }
  }

  #adopt(told: Verdicts): void {
    const kept = [...this.#verdicts].filter(([id, verdict]) => isLater(verdict, told.get(id)))
    this.#verdicts = new Map([...told, ...kept])
    this.#options.onCount([...this.#verdicts.values()].filter(({ blocked }) => blocked).length)
  }
}

type Verdicts = ReadonlyMap<string, Verdict>

function isLater({ decidedAtMs }: Verdict, other: Verdict | undefined): boolean {
  return other === undefined || decidedAtMs > other.decidedAtMs
}

function readVerdicts(fields: Readonly<Record<string, string>>): Verdicts {
  return new Map(Object.entries(fields).map(([id, field]) => [id, readVerdict(field)]))
}

function readVerdict(field: string): Verdict {
  const [decidedAt = '', state] = field.split(' ')
  return { decidedAtMs: Number(decidedAt), blocked: state === 'blocked' }
}
