import type { EventContext } from '@melmastoon/events'
import { limitNewSession, recordNewSession } from '../bots/new-session.ts'
import type { ConsumerContext } from '../context.ts'
import { reportSession } from '../telemetry/report-session.ts'
import { classOfDevice } from './class-of-device.ts'
import type { GuestSession, GuestSessionData } from './guest-session.ts'
import { derivedGuestSession, type Newcomer, newGuestSession } from './new-guest-session.ts'

export interface NewSession extends Newcomer {
  /** The guest has chosen language, currency or consent: that is stored whatever it is (C10). */
  readonly hasChosen: boolean
}

export interface OpenedSession {
  readonly session: GuestSession
  readonly cookieValue: string
}

/**
 * Starts a session. It is stored only when there is something that later requests would not tell
 * again (P18). Its start is an event, which needs consent.
 * @throws Problem when this client, address or network has started too many.
 */
export async function openSession(
  ctx: ConsumerContext,
  newSession: NewSession,
  cause: EventContext,
): Promise<OpenedSession> {
  const { visit, device } = newSession
  const profile = await limitNewSession(ctx, visit)
  const data = newGuestSession(newSession, ctx.hashes, ctx.clock.now())
  const { session: started, cookieValue } = ctx.sessions.start(data)
  const derived = derivedGuestSession(started.id, visit, ctx.hashes)
  const isStored = newSession.hasChosen || hasContent(data, derived)
  const session = isStored ? await ctx.sessions.store(started) : started
  await recordNewSession(ctx, profile, session.id)
  const deviceClass = classOfDevice(device?.screen)
  reportSession(ctx, { session, visit, cause: () => cause, deviceClass })
  return { session, cookieValue }
}

/**
 * Whether later requests would not tell the same. A browser that declines telemetry does so for the
 * session, also when a later request lacks the header.
 */
function hasContent(data: GuestSessionData, derived: GuestSessionData): boolean {
  const { flags } = data
  return (
    data.campaignAttribution !== undefined ||
    data.localePreference !== derived.localePreference ||
    data.currencyPreference !== derived.currencyPreference ||
    !flags.consentTelemetry ||
    flags.consentMarketing
  )
}
