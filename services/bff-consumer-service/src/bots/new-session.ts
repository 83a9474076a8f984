import type { BackgroundWork } from '@melmastoon/chassis/concurrency'
import { limitProblem } from '@melmastoon/chassis/limits'
import type { ErrorReporter } from '@melmastoon/chassis/telemetry'
import type { KeyedHash } from '@melmastoon/security'
import type { Limits } from '../limits/create-limits.ts'
import type { Bots } from './bots.ts'
import type { VisitorIdentity, VisitorProfile } from './visitor-profiles.ts'

export interface NewSessionDeps {
  readonly bots: Bots
  readonly hashes: KeyedHash
  readonly limits: Pick<Limits, 'newSessionDevice' | 'newSessionAddress' | 'newSessionSite'>
  readonly background: Pick<BackgroundWork, 'run'>
  readonly errors: ErrorReporter
}

export type NewClient = Omit<VisitorIdentity, 'session'>

/**
 * Before a session is started. A client without cookies would start one with every request, and can
 * change its device with any header: address and network are limited as well. For an IPv4 address
 * both of these limits count the same requests, and the first is the narrower.
 * @throws Problem beyond a limit: then pages are served without a session.
 */
export async function limitNewSession(
  { bots, hashes, limits }: NewSessionDeps,
  { address, userAgent, acceptLanguage }: NewClient,
): Promise<VisitorProfile> {
  const profile = bots.profiles.of({ address, userAgent, acceptLanguage, session: undefined })
  const decisions = await Promise.all([
    limits.newSessionAddress.take(hashes.hashAddress(address)),
    limits.newSessionSite.take(hashes.hashAddress(address, 48)),
    limits.newSessionDevice.take(profile.deviceHash),
  ])
  const rejected = decisions.find(({ allowed }) => !allowed)
  const error = rejected && limitProblem(rejected)
  if (error !== undefined) throw error
  return profile
}

/** After it was started: a visitor that has just passed a challenge stays cleared. Never fails. */
export async function recordNewSession(
  { bots, background, errors }: NewSessionDeps,
  { deviceHash, clearedUntilMs }: VisitorProfile,
  sessionId: string,
): Promise<void> {
  background.run(`new session ${sessionId}`, () => bots.visitors.recordNewSession(deviceHash))
  const clearedMs = clearedUntilMs - bots.clock.monotonicMs()
  if (clearedMs > 0) {
    await bots.visitors.clear(sessionId, clearedMs).catch(errors.for('bots'))
  }
}
