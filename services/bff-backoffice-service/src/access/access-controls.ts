import { randomUUID } from 'node:crypto'
import { createReplayStoreMemory } from '@melmastoon/chassis/sessions'
import type { SessionRecords } from './session-records.ts'
import type { StoreEpoch } from './store-epoch.ts'

/** For tests: limits, and negative controls, which disable a safeguard. */
export interface AccessControls {
  /** How many failures of an address are allowed per minute. */
  readonly failures?: number
  /** `any`: a proof of any key is accepted with the token. */
  readonly boundKey?: 'any'
  /** `process`: used proofs are known to this process only. */
  readonly replays?: 'process'
  /** `fixed`: nonces do not depend on the memory of the replay store. */
  readonly epoch?: 'fixed'
}

export function controlledRecords(
  records: SessionRecords,
  { replays }: AccessControls,
): SessionRecords {
  if (replays !== 'process') return records
  const local = createReplayStoreMemory()
  return {
    ...records,
    async admit(id, proofKey) {
      if (!(await local.claim(proofKey, 60_000))) return 'replayed'
      return await records.admit(id, `${proofKey}-${randomUUID()}`)
    },
  }
}

export function controlledEpoch(epoch: StoreEpoch, controls: AccessControls): StoreEpoch {
  if (controls.epoch !== 'fixed') return epoch
  const value = 'fixed'
  const read = () => Promise.resolve(value)
  return { value, isCurrent: true, read, refresh: () => Promise.resolve() }
}
