import type { ConsumerContext } from '../context.ts'
import type { BOT_REASONS } from '../events/bot-events.ts'

/**
 * For an hour whoever has this fingerprint is looked at with more distrust, in every process within
 * a minute. Never fails: what is punished has been refused already.
 */
export async function penalize(
  { bots, measures }: Pick<ConsumerContext, 'bots' | 'measures'>,
  fingerprintHash: string,
  reason: Exclude<(typeof BOT_REASONS)[number], 'score'>,
): Promise<void> {
  measures.botPenalties.inc({ reason })
  await bots.ledger.penalize(fingerprintHash)
}
