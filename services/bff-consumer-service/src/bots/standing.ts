import type { KeyedHash } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'
import type { GuestSession } from '../sessions/guest-session.ts'
import type { BotSignal, Verdict } from './score-signals.ts'

/** What of a request tells one visitor from another. Raw, so it never leaves the process. */
export interface Visitor {
  readonly address: string
  readonly userAgent: string
  readonly acceptLanguage: string | undefined
  readonly session: GuestSession | undefined
}

/** What this process thinks of a guest: a session, or without one an address and a fingerprint. */
export interface Standing extends Omit<Visitor, 'session'> {
  /** The name under which all processes know this guest. */
  readonly guest: string
  readonly sessionId: string | undefined
  readonly addressHash: string
  /** Of the user agent and the languages: all that every request tells. */
  readonly fingerprintHash: string
  /** What the session was begun with may tell more; a penalty may be written to either. */
  readonly sessionFingerprintHash: string | undefined
  /** Address and fingerprint together. */
  readonly deviceHash: string
  verdict: Verdict
  score: number
  signals: readonly BotSignal[]
  /** Null until somebody has looked. */
  judgedAtMs: number | null
  clearedUntilMs: number
  /** Not yet counted where all processes see it, and since when. */
  requests: number
  countedAtMs: number
  judging: Promise<void> | undefined
  logged: { readonly findings: string; readonly atMs: number } | undefined
}

const STANDINGS_MAX = 20_000
const USER_AGENT_MAX = 512
const LANGUAGES_MAX = 256

export class Standings {
  readonly #known = new LRUCache<string, Standing>({ max: STANDINGS_MAX })
  readonly #hashes: KeyedHash

  constructor(hashes: KeyedHash) {
    this.#hashes = hashes
  }

  /** Two looks into maps for a guest who is known; hashes are made once for each guest. */
  of(visitor: Visitor): Standing {
    const { session } = visitor
    const key = session === undefined ? rawNameOf(visitor) : session.id
    const known = this.#known.get(key)
    if (known !== undefined && isSame(known, visitor)) return known
    const met = this.#meet(visitor)
    if (known !== undefined) continueFrom(known, met)
    this.#known.set(key, met)
    return met
  }

  #meet({ session, ...visitor }: Visitor): Standing {
    const addressHash = this.#hashes.hashAddress(visitor.address)
    const fingerprintHash = this.#hashes.hash(fingerprintText(visitor))
    const deviceHash = this.#hashes.hash(`${addressHash} ${fingerprintHash}`)
    return {
      ...visitor,
      guest: session?.id ?? deviceHash,
      sessionId: session?.id,
      addressHash,
      fingerprintHash,
      sessionFingerprintHash: session?.data.cookieFingerprintHash,
      deviceHash,
      verdict: 'human',
      score: 0,
      signals: [],
      judgedAtMs: null,
      clearedUntilMs: 0,
      requests: 0,
      countedAtMs: Number.NEGATIVE_INFINITY,
      judging: undefined,
      logged: undefined,
    }
  }
}

/** Another network or an update of the browser makes no other guest, nor a slower one. */
function continueFrom(known: Standing, met: Standing): void {
  met.clearedUntilMs = known.clearedUntilMs
  met.requests = known.requests
  met.countedAtMs = known.countedAtMs
  met.logged = known.logged
}

function isSame(known: Standing, visitor: Visitor): boolean {
  return (
    known.address === visitor.address &&
    known.userAgent === visitor.userAgent &&
    known.acceptLanguage === visitor.acceptLanguage
  )
}

/** Control characters cannot be in a header, so no two visitors share a name. */
function rawNameOf({ address, userAgent, acceptLanguage = '' }: Visitor): string {
  return `${address}\n${userAgent}\n${acceptLanguage}`
}

/** As the fingerprint of a session whose device told nothing more (domain model §2.1). */
function fingerprintText({ userAgent, acceptLanguage }: Omit<Visitor, 'session'>): string {
  return JSON.stringify([userAgent, acceptLanguage ?? null, null, null])
}

/** Headers of any length are cut before anything is kept or hashed. */
export function boundVisitor(visitor: Visitor): Visitor {
  const { userAgent, acceptLanguage } = visitor
  if (userAgent.length <= USER_AGENT_MAX && (acceptLanguage?.length ?? 0) <= LANGUAGES_MAX) {
    return visitor
  }
  return {
    ...visitor,
    userAgent: cut(userAgent, USER_AGENT_MAX + 1),
    acceptLanguage: acceptLanguage && cut(acceptLanguage, LANGUAGES_MAX),
  }
}

/** As a text of its own: a mere slice would keep the whole of it in memory. Headers are Latin-1. */
function cut(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), 'latin1').toString('latin1')
}
