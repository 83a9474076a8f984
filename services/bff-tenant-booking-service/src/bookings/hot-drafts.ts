import type { Clock } from '@melmastoon/chassis/clock'
import { createRecordStore, type KeySpace, type Redis } from '@melmastoon/chassis/redis'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { DraftId } from '@melmastoon/domain'
import { DRAFT_LIFETIME_MINUTES, type Draft } from '../drafts/draft.ts'
import type { DraftState } from '../drafts/draft-states.ts'

export interface HotDraftDeps {
  readonly sessionRedis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly errors: ErrorReporter
}

/**
 * Copies of drafts in Redis (D25). Postgres is the authority, and is read whenever it responds: the
 * copy shows a guest their entries while it does not. Every function works without Redis.
 */
export interface HotDrafts {
  /** Null: there is none, or it must not be used. */
  read(draftId: DraftId): Promise<Draft | null>
  /** After a commit; a newer copy stays. Does not fail, and nothing waits for it. */
  store(draft: Draft): void
}

/** From the payment on there is no copy: nothing may hide a payment. */
const HOT_STATES: ReadonlySet<DraftState> = new Set(['holding', 'collecting_details'])

function isHot({ state }: Pick<Draft, 'state'>): boolean {
  return HOT_STATES.has(state)
}

/** The key lives longer than the draft (D11). */
const TTL_MS = 2 * DRAFT_LIFETIME_MINUTES * 60_000

type StoredDraft = Omit<Draft, 'guest'> & { readonly guest: string | null }

export function createHotDrafts(deps: HotDraftDeps): HotDrafts {
  const { sessionRedis, keys, clock, errors } = deps
  const records = createRecordStore<StoredDraft>({
    redis: sessionRedis,
    prefix: keys.prefix('booking-draft'),
    ttlMs: TTL_MS,
    parse: (value) => value as StoredDraft | null,
  })
  const report = errors.for('hot-drafts')
  return {
    async read(draftId) {
      const found = await records.get(draftId).catch(report)
      const stored = found?.value
      if (stored === undefined || !isHot(stored)) return null
      return Date.parse(stored.expiresAt) > clock.nowMs() ? toDraft(stored) : null
    },
    store(draft) {
      const { id, version } = draft
      const stored = isHot(draft)
        ? records.put(id, { version, value: toStored(draft) })
        : records.delete(id, version)
      stored.catch(report)
    },
  }
}

/** The details of the guest stay sealed. */
function toStored(draft: Draft): StoredDraft {
  return { ...draft, guest: draft.guest?.toString('base64') ?? null }
}

function toDraft(stored: StoredDraft): Draft {
  return { ...stored, guest: stored.guest === null ? null : Buffer.from(stored.guest, 'base64') }
}
