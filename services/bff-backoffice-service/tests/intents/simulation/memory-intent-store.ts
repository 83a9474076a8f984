import type {
  ClaimResult,
  Decision,
  HoldResult,
  IntentStore,
  NewIntent,
  StoredIntent,
} from '../../../src/intents/intent-store.ts'

interface Row {
  stored: StoredIntent
  claimedUntilMs: number
}

const LEASE_MS = 10_000

/** The table of verdicts in memory, compared with Postgres by a test. */
export class MemoryIntentTable {
  readonly rows = new Map<string, Row>()
  readonly decisions: Decision[] = []
  nowMs = Date.parse('2026-11-16T08:00:00.000Z')

  /** @param gate is passed before every statement, and may throw. */
  store(gate: () => Promise<void>): IntentStore {
    const after =
      <A extends unknown[], R>(run: (...args: A) => R) =>
      async (...args: A): Promise<R> => {
        await gate()
        return run(...args)
      }
    return {
      leaseMs: LEASE_MS,
      claim: after((intent) => this.#claim(intent)),
      hold: after((intent) => this.#hold(intent)),
      decide: after((claimed, decision) => this.#decide(claimed, decision)),
      release: after((claimed) => this.#release(claimed)),
      find: after(
        (device, intentId) => this.rows.get(keyOf({ ...device, intentId }))?.stored ?? null,
      ),
      lastContact: after(({ deviceId }) => this.#lastContact(deviceId)),
    }
  }

  #claim(intent: NewIntent): ClaimResult {
    const key = keyOf(intent)
    const row = this.rows.get(key)
    if (row !== undefined && row.stored.contentHash !== intent.contentHash)
      return { kind: 'reused' }
    if (row !== undefined && row.stored.verdict !== null) {
      return { kind: 'decided', stored: row.stored }
    }
    const isOpen = row === undefined || row.claimedUntilMs <= this.nowMs
    if (!isOpen || this.#isHeldBack(intent)) return { kind: 'busy' }
    const attempt = (row?.stored.attempt ?? 0) + 1
    const first = row?.stored ?? { ...intent, propertyId: null, verdict: null }
    const stored: StoredIntent = { ...first, attempt }
    this.rows.set(key, { stored, claimedUntilMs: this.nowMs + LEASE_MS })
    return { kind: 'claimed', stored }
  }

  #hold(intent: NewIntent): HoldResult {
    const key = keyOf(intent)
    const { stored } = this.rows.get(key) ?? this.#add(key, intent)
    if (stored.contentHash !== intent.contentHash) return { kind: 'reused' }
    return { kind: stored.verdict === null ? 'held' : 'decided', stored }
  }

  #add(key: string, intent: NewIntent): Row {
    const stored = { ...intent, attempt: 0, propertyId: null, verdict: null }
    const row = { stored, claimedUntilMs: this.nowMs }
    this.rows.set(key, row)
    return row
  }

  #isHeldBack({ deviceId, intentId, resourceId, seq }: NewIntent): boolean {
    return [...this.rows.values()].some(
      ({ stored }) =>
        stored.deviceId === deviceId &&
        stored.resourceId === resourceId &&
        stored.seq < seq &&
        stored.intentId !== intentId &&
        stored.verdict === null,
    )
  }

  #decide(claimed: StoredIntent, decision: Decision): boolean {
    const row = this.#own(claimed)
    if (row === undefined) return false
    const { verdict, propertyId } = decision
    row.stored = { ...row.stored, verdict, propertyId }
    this.decisions.push(decision)
    return true
  }

  #release(claimed: StoredIntent): void {
    const row = this.#own(claimed)
    if (row !== undefined) row.claimedUntilMs = this.nowMs
  }

  #own(claimed: StoredIntent): Row | undefined {
    const row = this.rows.get(keyOf(claimed))
    const isOwn = row?.stored.attempt === claimed.attempt && row.stored.verdict === null
    return isOwn ? row : undefined
  }

  #lastContact(deviceId: string) {
    const own = [...this.rows.values()].filter(({ stored }) => stored.deviceId === deviceId)
    const last = own.toSorted((a, b) => +a.stored.receivedAt - +b.stored.receivedAt).at(-1)
    return last === undefined
      ? null
      : { receivedAt: last.stored.receivedAt, bootId: last.stored.bootId }
  }
}

const keyOf = ({
  tenantId,
  deviceId,
  intentId,
}: Pick<NewIntent, 'tenantId' | 'deviceId' | 'intentId'>) => `${tenantId} ${deviceId} ${intentId}`
