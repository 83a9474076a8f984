import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { type Limiter, limitProblem } from '@melmastoon/chassis/limits'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { KeyedHash } from '@melmastoon/security'
import type { Limits } from '../limits/create-limits.ts'
import type { Bots } from './bots.ts'
import type { VisitorClient, VisitorProfile } from './visitor-profiles.ts'

export interface NewSessionDeps {
  readonly bots: Bots
  readonly hashes: KeyedHash
  readonly limits: Pick<Limits, 'newSessionDevice' | 'newSessionAddress' | 'newSessionSite'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly errors: ErrorReporter
}

export type NewClient = VisitorClient

/**
 * Before a session is started. A client without cookies would start one with every request, and can
 * change its device with any header: address and network are limited as well. A wider limit counts
 * only what the narrower one allows, so one subscriber does not use up what a site has.
 * @throws Problem beyond a limit: then pages are served without a session.
 */
export async function limitNewSession(
  { bots, hashes, limits }: NewSessionDeps,
  client: NewClient,
): Promise<void> {
  const { address } = client
  const [network, site] = [hashes.hashAddress(address), hashes.hashAddress(address, 48)]
  await take(limits.newSessionDevice, profileOf(bots, client).deviceHash)
  await take(limits.newSessionAddress, network)
  // An IPv4 address is both.
  if (site !== network) await take(limits.newSessionSite, site)
}

async function take(limiter: Limiter, key: string): Promise<void> {
  const decision = await limiter.take(key)
  const error = decision.allowed ? undefined : limitProblem(decision)
  if (error !== undefined) throw error
}

function profileOf(bots: Bots, { address, userAgent, acceptLanguage }: NewClient): VisitorProfile {
  return bots.profiles.of({ address, userAgent, acceptLanguage, session: undefined })
}

/** After it was started: a visitor that has just passed a challenge stays cleared. Never fails. */
export async function recordNewSession(
  { bots, background, errors }: NewSessionDeps,
  client: NewClient,
  sessionId: string,
): Promise<void> {
  const profile = profileOf(bots, client)
  background.run(`new session ${sessionId}`, () => bots.visitors.recordNewSession(profile))
  const clearedMs = profile.clearedUntilMs - bots.clock.monotonicMs()
  if (clearedMs <= 0) return
  await bots.visitors.clear(sessionId, clearedMs).catch(errors.for('bots'))
}
