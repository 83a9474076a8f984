import { parseIsoDate } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { HoldRejected, type HoldRejection } from './hold-rejected.ts'
import { retryAfterReclaim } from './retry-after-reclaim.ts'

const blockers: HoldRejection['blockers'] = {
  tenant: '01890a5d-ac96-774b-bcce-b302099a8057',
  roomTypes: [],
  checkIn: parseIsoDate('2027-01-10'),
  checkOut: parseIsoDate('2027-01-12'),
  holder: null,
  session: null,
  allocation: null,
}

/** Rejects with the given remedies in order, then succeeds; counts the calls. */
function play(remedies: readonly HoldRejection['remedy'][]) {
  const seen = { tries: 0, reclaims: 0 }
  const outcome = retryAfterReclaim(
    async () => {
      seen.reclaims += 1
    },
    async () => {
      const remedy = remedies[seen.tries]
      seen.tries += 1
      if (remedy === undefined) return 'taken'
      throw new HoldRejected({ reason: 'short', remedy, blockers })
    },
  )
  return { seen, outcome }
}

describe('retrying to take rooms', () => {
  it('happens after blocking holds were expired, or directly after a lost race', async () => {
    const { seen, outcome } = play(['reclaim', 'again'])
    expect(await outcome).toBe('taken')
    expect(seen).toEqual({ tries: 3, reclaims: 1 })
  })

  it('does not happen when the rejection is final', async () => {
    const { seen, outcome } = play(['never'])
    await expect(outcome).rejects.toBeInstanceOf(HoldRejected)
    expect(seen).toEqual({ tries: 1, reclaims: 0 })
  })

  it('ends after four rounds', async () => {
    const { seen, outcome } = play(Array.from({ length: 9 }, () => 'again'))
    await expect(outcome).rejects.toBeInstanceOf(HoldRejected)
    expect(seen.tries).toBe(4)
  })

  it('does not happen for any other error', async () => {
    const failing = retryAfterReclaim(
      () => Promise.resolve(),
      () => Promise.reject(new TypeError('a mistake')),
    )
    await expect(failing).rejects.toBeInstanceOf(TypeError)
  })
})
