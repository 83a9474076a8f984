import type { verifyProof } from '@melmastoon/security'
import type { SessionRecords } from './session-records.ts'
import type { StoreEpoch } from './store-epoch.ts'

/** What tests replace. The negative controls, which lack a safeguard, are part of the tests. */
export interface AccessControls {
  /** How many failures of an address are allowed per minute. */
  readonly failures?: number
  readonly verifyProof?: typeof verifyProof
  readonly wrapRecords?: (records: SessionRecords) => SessionRecords
  readonly epoch?: StoreEpoch
}
