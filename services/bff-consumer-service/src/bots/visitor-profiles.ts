import type { KeyedHash } from '@melmastoon/security'
import { LRUCache } from 'lru-cache'
import type { BotSignal, Verdict } from './scoring.ts'

/** What distinguishes one visitor from another. Unhashed, so it never leaves the process. */
export interface VisitorIdentity {
  readonly address: string
  readonly userAgent: string
  readonly acceptLanguage: string | undefined
  readonly session: VisitorSession | undefined
}

export interface VisitorSession {
  readonly id: string
  readonly data: { readonly cookieFingerprintHash: string }
}

/** What distinguishes one client from another. */
export type VisitorClient = Omit<VisitorIdentity, 'session'>

/** Of one client, whatever its session. */
interface ClientHashes {
  readonly addressHash: string
  /** Of the user agent and the languages, which every request sends. */
  readonly fingerprintHash: string
  /** Of address and fingerprint. */
  readonly deviceHash: string
}

/** What this process knows of a visitor: a session, or without one an address and a fingerprint. */
export interface VisitorProfile extends VisitorClient, ClientHashes {
  /** The id of this visitor in all processes: a session id, or without one the device hash. */
  readonly visitorId: string
  readonly sessionId: string | undefined
  /**
   * The fingerprint at the start of the session has more fields; a penalty may be stored for
   * either.
   */
  readonly sessionFingerprintHash: string | undefined
  verdict: Verdict
  score: number
  signals: readonly BotSignal[]
  /** Null until the first assessment. */
  assessedAtMs: number | null
  clearedUntilMs: number
  /** Requests since `countedAtMs` that are not yet counted in Redis. */
  requests: number
  countedAtMs: number
  assessing: Promise<void> | undefined
  logged: { readonly details: string; readonly atMs: number } | undefined
}

/** What is known of a visitor before its session is read. */
export type CountedVisitor = ClientHashes &
  Pick<VisitorProfile, 'visitorId' | 'sessionId' | 'userAgent'>

/** As many as sessions are cached: a guest that comes back is not assessed again. */
const PROFILES_MAX = 50_000
/** Many guests share a client; each hash costs a few microseconds. */
const CLIENTS_MAX = 10_000
const USER_AGENT_MAX = 512
const LANGUAGES_MAX = 256

export class VisitorProfiles {
  readonly #profiles = new LRUCache<string, VisitorProfile>({ max: PROFILES_MAX })
  readonly #clients = new LRUCache<string, ClientHashes>({ max: CLIENTS_MAX })
  readonly #hashes: KeyedHash

  constructor(hashes: KeyedHash) {
    this.#hashes = hashes
  }

  /** Two map lookups for a known visitor; hashes are computed once per visitor. */
  of(identity: VisitorIdentity): VisitorProfile {
    const bounded = truncateHeaders(identity)
    const key = bounded.session === undefined ? unhashedKey(bounded) : bounded.session.id
    const known = this.#profiles.get(key)
    if (known !== undefined && isSame(known, bounded)) return known
    const profile = this.#create(bounded)
    if (known !== undefined) continueFrom(known, profile)
    this.#profiles.set(key, profile)
    return profile
  }

  /** The profile of a session, unless another client used it last. */
  find(sessionId: string, client: VisitorClient): VisitorProfile | undefined {
    const known = this.#profiles.get(sessionId)
    return known !== undefined && isSame(known, truncateHeaders(client)) ? known : undefined
  }

  /** The visitor of a session that is not read yet. */
  identify(sessionId: string, client: VisitorClient): CountedVisitor {
    const bounded = truncateHeaders(client)
    const { userAgent } = bounded
    return { visitorId: sessionId, sessionId, userAgent, ...this.#hashesOf(bounded) }
  }

  #hashesOf(client: VisitorClient): ClientHashes {
    const key = unhashedKey(client)
    const known = this.#clients.get(key)
    if (known !== undefined) return known
    const addressHash = this.#hashes.hashAddress(client.address)
    const fingerprintHash = this.#hashes.hash(fingerprintText(client))
    const deviceHash = this.#hashes.hash(`${addressHash} ${fingerprintHash}`)
    const hashes = { addressHash, fingerprintHash, deviceHash }
    this.#clients.set(key, hashes)
    return hashes
  }

  #create({ session, ...client }: VisitorIdentity): VisitorProfile {
    const hashes = this.#hashesOf(client)
    return {
      ...client,
      ...hashes,
      visitorId: session?.id ?? hashes.deviceHash,
      sessionId: session?.id,
      sessionFingerprintHash: session?.data.cookieFingerprintHash,
      verdict: 'human',
      score: 0,
      signals: [],
      assessedAtMs: null,
      clearedUntilMs: 0,
      requests: 0,
      countedAtMs: Number.NEGATIVE_INFINITY,
      assessing: undefined,
      logged: undefined,
    }
  }
}

/** A session that changes its network or updates its browser keeps its counts and its clearance. */
function continueFrom(known: VisitorProfile, profile: VisitorProfile): void {
  profile.clearedUntilMs = known.clearedUntilMs
  profile.requests = known.requests
  profile.countedAtMs = known.countedAtMs
  profile.logged = known.logged
}

function isSame(known: VisitorProfile, identity: VisitorClient): boolean {
  return (
    known.address === identity.address &&
    known.userAgent === identity.userAgent &&
    known.acceptLanguage === identity.acceptLanguage
  )
}

/** Headers contain no line breaks, so no two visitors share a key. */
function unhashedKey({ address, userAgent, acceptLanguage = '' }: VisitorClient): string {
  return `${address}\n${userAgent}\n${acceptLanguage}`
}

/** The same text as for a session whose device reported neither screen nor time zone. */
function fingerprintText({ userAgent, acceptLanguage }: VisitorClient): string {
  return JSON.stringify([userAgent, acceptLanguage ?? null, null, null])
}

/** Headers of any length are truncated before they are stored or hashed. */
function truncateHeaders<C extends VisitorClient>(identity: C): C {
  const { userAgent, acceptLanguage } = identity
  if (userAgent.length <= USER_AGENT_MAX && (acceptLanguage?.length ?? 0) <= LANGUAGES_MAX) {
    return identity
  }
  return {
    ...identity,
    userAgent: truncate(userAgent, USER_AGENT_MAX + 1),
    acceptLanguage: acceptLanguage && truncate(acceptLanguage, LANGUAGES_MAX),
  }
}

/** As a copy: a slice would keep the whole header in memory. Headers are Latin-1. */
function truncate(text: string, length: number): string {
  return Buffer.from(text.slice(0, length), 'latin1').toString('latin1')
}
