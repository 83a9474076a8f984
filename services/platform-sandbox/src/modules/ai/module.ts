import type { EventContext } from '@melmastoon/events'
import { aiContract, type SuggestionDetail } from '@melmastoon/upstream-contracts/ai'
import type { ModuleHost, ServedModule } from '../../module.ts'
import type { AiSiblings } from './ai-host.ts'
import { decideSuggestion } from './decide-suggestion.ts'
import { type End, endSuggestion, type SuggestionKey } from './end-suggestion.ts'
import { type ForcedProposal, proposeForced } from './propose-suggestions.ts'
import { listSuggestions, readSuggestion, recentSuggestions } from './read-suggestions.ts'
import { proposeForAll, startAiWorkers } from './start-ai-workers.ts'
import type { AiOperations, StoredSuggestion } from './suggestion.ts'
import { suggestionHandlers } from './suggestion-handlers.ts'

export { RULE_CATEGORIES } from './rules.ts'
export { AI_SCENARIOS } from './scenarios.ts'
export type { StoredSuggestion } from './suggestion.ts'

const RECENT_ROWS = 20

export interface AiModule extends ServedModule<AiOperations> {
  /** Of all tenants, newest first. */
  recentSuggestions(): Promise<StoredSuggestion[]>
  /** For demonstrations: a suggestion now, whether or not the rule finds a reason. */
  propose(proposal: ForcedProposal, cause: EventContext): Promise<SuggestionDetail>
  /** For demonstrations: expires or withdraws a suggestion now. */
  end(key: SuggestionKey, end: { to: End; cause: EventContext }): Promise<SuggestionDetail>
  /** One run of the generator, which also runs in the background. */
  generate(): Promise<number>
}

/** Suggestions by fixed rules, marked as a fallback: no model is called. */
export function createAiModule(moduleHost: ModuleHost, siblings: AiSiblings): AiModule {
  const { db, relayDb, registry, config } = moduleHost
  const host = { db, relayDb, registry, config, ...siblings }
  return {
    contract: aiContract,
    recentSuggestions: () => recentSuggestions(relayDb, RECENT_ROWS),
    propose: (proposal, cause) => proposeForced(host, proposal, cause),
    end: (key, end) => endSuggestion(host, key, end),
    generate: () => proposeForAll(host, new AbortController().signal),
    subscriptions: suggestionHandlers(host),
    start: async () => startAiWorkers(host, moduleHost),
    handlers: {
      listSuggestions: (input, { tenantId }) => listSuggestions(host, input, tenantId),
      getSuggestion: ({ params }, { tenantId }) =>
        readSuggestion(db, tenantId, params.suggestionId),
      recordDecision: (input, call) => decideSuggestion(host, input, call),
    },
  }
}
