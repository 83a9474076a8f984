import type { CounterMetric } from '@melmastoon/chassis/telemetry'
import { isProblem, type Problem } from '@melmastoon/domain'

const OUTCOMES: Readonly<Record<string, string>> = {
  'MELMASTOON.BFF.CONSUMER.TENANT_SUSPENDED': 'suspended',
  'MELMASTOON.BFF.CONSUMER.HANDOFF_REPLAYED': 'replayed',
  'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED': 'expired',
  'MELMASTOON.BFF.CONSUMER.STAY_NOT_BOOKABLE': 'unbookable',
}

/** Counts failures by kind; successes are counted where they are known to be committed. */
export async function countRejections<T>(
  counter: CounterMetric<'outcome'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    counter.inc({ outcome: isProblem(error) ? outcomeOf(error) : 'failed' })
    throw error
  }
}

function outcomeOf({ code, status }: Problem): string {
  const known = OUTCOMES[code]
  if (known !== undefined) return known
  if (status === 404) return 'unknown'
  return status >= 500 ? 'failed' : 'invalid'
}
