import { newIntent, type ReceivedIntent } from './new-intent.ts'
import { type BatchContext, type SettleDeps, type Settled, settleIntent } from './settle-intent.ts'

/** Why an intent cannot be attempted yet. */
export type Wait = 'earlier-intent' | 'undecided-dependency' | 'missing-dependency'

/** From the arrival of the intent on. The batches of a device may overtake each other. */
const WAIT_MAX_MS: Readonly<Record<Wait, number>> = {
  // It ends with the verdict on the earlier one.
  'earlier-intent': Number.POSITIVE_INFINITY,
  'undecided-dependency': 24 * 3_600_000,
  'missing-dependency': 10 * 60_000,
}

export const DEPENDENCY_FAILED = 'MELMASTOON.BFF.BACKOFFICE.INTENT_DEPENDENCY_FAILED'

/**
 * Stores that the intent has arrived: intents that depend on it know that it exists, and its own
 * wait has a beginning. After the longest wait it is rejected, so that every intent gets a verdict.
 */
export async function holdIntent(
  deps: SettleDeps,
  { received, wait }: { readonly received: ReceivedIntent; readonly wait: Wait },
  batch: BatchContext,
): Promise<Settled> {
  if (!received.isValid) {
    return await settleIntent(deps, { ...received, obstacle: null }, batch)
  }
  const held = await deps.intentStore.hold(newIntent(received.intent, batch), batch.deadline)
  if (held.kind === 'decided') return { ...held, replayed: true }
  if (held.kind === 'reused') return held
  if (held.kind === 'busy') return { kind: 'pending' }
  const waitedMs = batch.deviceClock.receivedAt.getTime() - held.stored.receivedAt.getTime()
  if (waitedMs <= WAIT_MAX_MS[wait]) return { kind: 'pending' }
  return await settleIntent(deps, { ...received, obstacle: DEPENDENCY_FAILED }, batch)
}
