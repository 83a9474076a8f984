import type { Database } from '@melmastoon/chassis/db'
import { problem } from '@melmastoon/domain'
import type { Ledger } from './activity.ts'

export function createLedger(_deps: { readonly relayDb: Database }): Ledger {
  return { record: () => Promise.reject(problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')) }
}
