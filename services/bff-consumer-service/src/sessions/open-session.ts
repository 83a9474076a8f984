import type { Session } from '@melmastoon/chassis/sessions'
import type { EventContext } from '@melmastoon/events'
import { admitNewcomer, settleNewcomer } from '../bots/meet-newcomer.ts'
import type { ConsumerContext } from '../context.ts'
import { reportSession } from '../telemetry/report-session.ts'
import { classOfDevice } from './class-of-device.ts'
import type { GuestSession } from './guest-session.ts'
import { type Newcomer, newGuestSession } from './new-guest-session.ts'

export interface OpenedSession {
  readonly session: Session<GuestSession>
  readonly cookieValue: string
}

/** A session exists from now on; that it does is telemetry, and needs consent. */
export async function openSession(
  ctx: ConsumerContext,
  newcomer: Newcomer,
  cause: EventContext,
): Promise<OpenedSession> {
  const standing = await admitNewcomer(ctx, newcomer.visit)
  const data = newGuestSession(newcomer, ctx.hashes, ctx.clock.now())
  const opened = await ctx.sessions.create(data)
  await settleNewcomer(ctx, standing, opened.session.id)
  const { visit, device } = newcomer
  const deviceClass = classOfDevice(device?.screen)
  reportSession(ctx, { session: opened.session, visit, cause: () => cause, deviceClass })
  return opened
}
