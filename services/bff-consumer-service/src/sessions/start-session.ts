import type { Clock } from '@melmastoon/chassis/clock'
import type { EventContext } from '@melmastoon/events'
import type { GuestSession, GuestSessionData, GuestSessions } from './guest-session.ts'
import {
  derivedGuestSession,
  isTelemetryDefault,
  type NewGuest,
  type NewSessionSettings,
  newGuestSession,
} from './new-guest-session.ts'
import type { DeviceClass, SessionObserver } from './session-observers.ts'

export interface StartSessionDeps extends NewSessionSettings {
  readonly sessions: Pick<GuestSessions, 'start' | 'store'>
  readonly sessionObservers: readonly SessionObserver[]
  readonly clock: Clock
}

export interface NewSession extends NewGuest {
  /** The guest has chosen language, currency or consent: that is stored whatever it is (C10). */
  readonly hasChosen: boolean
  readonly cause: EventContext
}

export interface StartedSession {
  readonly session: GuestSession
  readonly cookieValue: string
}

/**
 * Stores the session only if it has content that later requests would not contain again (P18). The
 * start is published as an event, with consent.
 * @throws Problem when this client, address or network has started too many.
 */
export async function startSession(
  deps: StartSessionDeps,
  newSession: NewSession,
): Promise<StartedSession> {
  const { client, device, cause } = newSession
  for (const observer of deps.sessionObservers) await observer.beforeStart?.(client)
  const data = newGuestSession(newSession, deps, deps.clock.now())
  const { session: started, cookieValue } = deps.sessions.start(data)
  const derived = derivedGuestSession(started.id, client, deps)
  const isStored = newSession.hasChosen || hasContent(deps, data, derived)
  const session = isStored ? await deps.sessions.store(started) : started
  const deviceClass = classOfDevice(device?.screen)
  const actor = { session, client, cause: () => cause, deviceClass }
  for (const observer of deps.sessionObservers) await observer.afterStart?.(actor)
  return { session, cookieValue }
}

/**
 * Whether the session has content that later requests would not contain. Declining telemetry
 * applies to the whole session, also if a later request lacks the header.
 */
function hasContent(
  settings: Pick<NewSessionSettings, 'config'>,
  data: GuestSessionData,
  derived: GuestSessionData,
): boolean {
  return (
    data.campaignAttribution !== undefined ||
    data.localePreference !== derived.localePreference ||
    data.currencyPreference !== derived.currencyPreference ||
    data.flags.consentTelemetry !== isTelemetryDefault(settings) ||
    data.flags.consentMarketing
  )
}

/** Of the shorter side, in CSS pixels: usual breakpoints of layouts. */
const PHONE_MAX = 599
const TABLET_MAX = 1023

/** @param screen `412x915`, as the schema of `POST /session` has it. */
export function classOfDevice(screen: string | undefined): DeviceClass | undefined {
  if (screen === undefined) return undefined
  const shorter = Math.min(...screen.split('x').map(Number))
  if (shorter <= PHONE_MAX) return 'phone'
  return shorter <= TABLET_MAX ? 'tablet' : 'desktop'
}
