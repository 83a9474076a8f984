import { afterAll, beforeAll } from 'vitest'
import { shared, startShared } from './inbox-fixture.ts'
import { publicSyncKeys } from './sync-keys.ts'
import './alert-cases.ts'
import './preference-cases.ts'
import './device-cases.ts'
import './sync-cases.ts'
import './suggestion-cases.ts'

// Starting the sandbox takes longer than all cases, so they share one.
beforeAll(() =>
  startShared({
    sandboxEnv: { SUGGESTION_SECONDS: '0', SYNC_TOKEN_PUBLIC_KEYS: publicSyncKeys() },
  }),
)
afterAll(() => shared.running[Symbol.asyncDispose]())
