import { randomUUID } from 'node:crypto'
import { createReplayStoreMemory } from '@melmastoon/chassis/sessions'
import { verifyProof } from '@melmastoon/security'
import type { AccessControls } from '../../src/access/access-controls.ts'

/** A proof of any key is accepted with a token. */
export const anyKey = {
  verifyProof({ accessToken: _token, expectedJkt: _jkt, ...proof }) {
    return verifyProof(proof)
  },
} satisfies AccessControls

/** Used proofs are known to their process only. */
export const replaysOfProcess = (): AccessControls => {
  const local = createReplayStoreMemory()
  return {
    wrapRecords: (records) => ({
      ...records,
      async admit(id, proofKey) {
        if (!(await local.claim(proofKey, 60_000))) return 'replayed'
        return await records.admit(id, `${proofKey}-${randomUUID()}`)
      },
    }),
  }
}

/** Nonces do not depend on the memory of the replay store. */
export const fixedEpoch = {
  epoch: {
    value: 'fixed',
    isCurrent: true,
    read: () => Promise.resolve('fixed'),
    refresh: () => Promise.resolve(),
  },
} satisfies AccessControls
