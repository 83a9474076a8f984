import { repeatAfter, runUntilStopped } from '@melmastoon/chassis/concurrency'
import { systemCause } from '../../event-causes.ts'
import type { ModuleHost, Worker } from '../../module.ts'
import type { AiHost } from './ai-host.ts'
import { expireDue } from './end-suggestion.ts'
import { proposeForHotel } from './propose-suggestions.ts'
import { selectSources } from './source-sql.ts'

const SWEEP_EVERY_MS = 2_000
const SOURCES_PER_READ = 20
const FIRST_SOURCE = '00000000-0000-0000-0000-000000000000'

/**
 * Run in every instance: both only change what no other instance has changed before. The generator
 * is bounded, because a condition is suggested once per day.
 */
export function startAiWorkers(host: AiHost, { errors }: Pick<ModuleHost, 'errors'>): Worker {
  const { suggestionSeconds } = host.config
  return runUntilStopped(async (signal) => {
    const sweep = repeatAfter(SWEEP_EVERY_MS, () => sweepDue(host), {
      signal,
      onError: errors.for('ai', 'expire'),
    })
    const generate =
      suggestionSeconds === 0
        ? undefined
        : repeatAfter(suggestionSeconds * 1_000, () => proposeForAll(host, signal), {
            signal,
            onError: errors.for('ai', 'generate'),
          })
    await Promise.all([sweep, generate])
  })
}

async function sweepDue({ relayDb, registry, config }: AiHost): Promise<void> {
  const by = { registry, cause: systemCause(config.instance) }
  while ((await expireDue(relayDb, by)) > 0) {
    // Until none is overdue.
  }
}

/** Every hotel that has a source, one after the other. */
export async function proposeForAll(host: AiHost, signal: AbortSignal): Promise<number> {
  let proposed = 0
  let after = FIRST_SOURCE
  while (!signal.aborted) {
    const sources = await host.relayDb.query(selectSources(after, SOURCES_PER_READ))
    for (const source of sources) {
      if (signal.aborted) return proposed
      proposed += await proposeForHotel(host, source, systemCause(host.config.instance))
    }
    const last = sources.at(-1)
    if (last === undefined) return proposed
    after = last.property_id
  }
  return proposed
}
