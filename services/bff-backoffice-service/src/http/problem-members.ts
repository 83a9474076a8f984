import type { OpenApiOptions } from '@melmastoon/chassis/http'
import { named } from '@melmastoon/upstream-contracts'
import { SUGGESTION_STATES, SuggestionDecision } from '@melmastoon/upstream-contracts/ai'
import { Type } from 'typebox'
import { PreferencesPayload } from './preferences-schema.ts'
import { stepUpPurpose } from './step-up-purpose.ts'
import { SyncCursorVM } from './sync-cursor-schema.ts'

const RequiredStepUp = named('RequiredStepUp', Type.Object(stepUpPurpose))

const CurrentPreferences = named(
  'CurrentPreferences',
  Type.Object({ payload: PreferencesPayload, version: Type.Integer({ minimum: 0 }) }),
)

/** For the document only: what problems say beyond their standard members. */
export const problemMembers: NonNullable<OpenApiOptions['problemMembers']> = {
  'MELMASTOON.SECURITY.STEP_UP_REQUIRED': { stepUp: RequiredStepUp },
  'MELMASTOON.AI.SUGGESTION_DECIDED': { decision: SuggestionDecision },
  'MELMASTOON.AI.SUGGESTION_CLOSED': { state: Type.Enum([...SUGGESTION_STATES]) },
  'MELMASTOON.TENANT.VERSION_CONFLICT': { current: CurrentPreferences },
  'MELMASTOON.SYNC.CURSOR_CONFLICT': { current: SyncCursorVM },
}
