import type { SessionLookup } from '@melmastoon/chassis/sessions'
import type { FastifyRequest } from 'fastify'
import { assessmentOf } from '../bots/assess-visitor.ts'
import type { VisitorClient } from '../bots/visitor-profiles.ts'
import type { StoredVisitor } from '../bots/visitor-store.ts'
import type { ConsumerContext } from '../context.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether the visitor has to be assessed before the request is served. */
    assessesVisitor?: boolean
  }
}

/**
 * The history of a visitor that this process does not know, requested together with its session:
 * session, limit and history then take one round trip. The request is counted with it.
 */
export interface EarlyVisits {
  begin(request: FastifyRequest, sessionId: string): void
  of(request: FastifyRequest): Promise<StoredVisitor> | undefined
  /** Also when what was read is not used. */
  hasCounted(request: FastifyRequest): boolean
  /** While sessions cannot be read, what would be read with them could not be used. */
  onSessionRead(request: FastifyRequest, lookup: Pick<SessionLookup<unknown>, 'kind'>): void
  /** The session was cleared or has expired: nothing of it is left when this resolves. */
  discard(request: FastifyRequest): Promise<void>
}

interface EarlyVisit {
  readonly sessionId: string
  readonly stored: Promise<StoredVisitor>
  isDiscarded: boolean
}

export function createEarlyVisits({ bots, config }: ConsumerContext): EarlyVisits {
  const visits = new WeakMap<FastifyRequest, EarlyVisit>()
  /** Requests whose session is not in memory. */
  const reading = new WeakSet<FastifyRequest>()
  let hasReadFailed = false

  function isAssessed(sessionId: string, client: VisitorClient): boolean {
    const profile = bots.profiles.find(sessionId, client)
    if (profile === undefined) return false
    const state = assessmentOf(bots, profile, profile.requests + 1)
    return state !== 'unknown' || profile.assessing !== undefined
  }

  return {
    begin(request, sessionId) {
      if (config.botCheck === 'off' || !request.state.config.assessesVisitor) return
      reading.add(request)
      const client = clientOf(request)
      if (hasReadFailed || isAssessed(sessionId, client)) return
      const stored = bots.visitors.load(bots.profiles.identify(sessionId, client), 1)
      visits.set(request, { sessionId, stored, isDiscarded: false })
    },
    of(request) {
      const visit = visits.get(request)
      return visit?.isDiscarded ? undefined : visit?.stored
    },
    hasCounted: (request) => visits.has(request),
    onSessionRead(request, { kind }) {
      if (reading.has(request)) hasReadFailed = kind === 'unavailable'
    },
    async discard(request) {
      const visit = visits.get(request)
      if (visit === undefined) return
      visit.isDiscarded = true
      await visit.stored
      await bots.visitors.forget(visit.sessionId)
    },
  }
}

export function clientOf({ headers, ip }: FastifyRequest): VisitorClient {
  return {
    address: ip,
    userAgent: headers['user-agent'] ?? '',
    acceptLanguage: headers['accept-language'],
  }
}
