import { asAbsent, type ClientOf, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline } from '@melmastoon/chassis/clock'
import { problem } from '@melmastoon/domain'
import type { iamContract, StaffSession } from '@melmastoon/upstream-contracts/iam'
import { LRUCache } from 'lru-cache'
import type { TokenClaims } from './access-token.ts'

export interface ConfirmSessionDeps {
  readonly upstreams: { readonly iam: Pick<ClientOf<typeof iamContract>, 'validateSession'> }
}

const CONFIRMED_MAX = 10_000
const CONFIRMED_MS = 5_000
/** Requests wait for this while Redis is unavailable. */
const QUICK_MS = 200

/** Asks iam whether session, device and key still belong together. */
export class SessionConfirmations {
  readonly #deps: ConfirmSessionDeps
  readonly #recent = new LRUCache<string, StaffSession>({ max: CONFIRMED_MAX, ttl: CONFIRMED_MS })

  constructor(deps: ConfirmSessionDeps) {
    this.#deps = deps
  }

  /** @throws Problem SESSION.REVOKED, or that of iam when it does not respond */
  async confirm(claims: TokenClaims, { deadline, trace }: UpstreamCall): Promise<StaffSession> {
    const { sessionId, tenantId, jkt } = claims
    const session = await this.#deps.upstreams.iam
      .validateSession({ params: { sessionId }, query: { jkt } }, { tenantId, deadline, trace })
      .catch(asAbsent)
    if (session === null || !isSame(session, claims)) {
      throw problem('MELMASTOON.SESSION.REVOKED')
    }
    return session
  }

  /** The same, from memory for a few seconds. */
  async confirmQuickly(claims: TokenClaims, call: UpstreamCall): Promise<void> {
    const { sessionId } = claims
    const recent = this.#recent.get(sessionId)
    if (recent !== undefined && isSame(recent, claims)) return
    using deadline = createDeadline(QUICK_MS, { parent: call.deadline.signal })
    this.#recent.set(sessionId, await this.confirm(claims, { ...call, deadline }))
  }

  forget(sessionId: string): void {
    this.#recent.delete(sessionId)
  }
}

function isSame(session: StaffSession, claims: TokenClaims): boolean {
  return (
    session.status === 'active' &&
    session.tenantId === claims.tenantId &&
    session.operatorId === claims.operatorId &&
    session.deviceId === claims.deviceId &&
    session.jkt === claims.jkt
  )
}
