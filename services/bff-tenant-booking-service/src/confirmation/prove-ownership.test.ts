import { createDeadline } from '@melmastoon/chassis/clock'
import { isProblem, newId, parseIsoDate } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { describe, expect, it } from 'vitest'
import { confirmationToken } from './confirmation-link.ts'
import { proveOwnership } from './prove-ownership.ts'

const outage = new Error('no connection')
const reported: unknown[] = []
const deps = {
  confirmationKeys: KeyRing.parse(`c1:active:${Buffer.alloc(32, 1).toString('base64url')}`),
  clock: { now: () => new Date('2026-11-16T09:00:00Z') },
  errors: { report: (_component: string, error: unknown) => void reported.push(error) },
  db: { tenantQuery: async () => [] },
}
const broken = { ...deps, db: { tenantQuery: () => Promise.reject(outage) } }
const ref = { tenantId: newId('tnt'), reservationId: newId('rsv') }
const token = confirmationToken(deps, { ...ref, checkOut: parseIsoDate('2026-11-20') })
const claimant = () => ({
  ...ref,
  sessionId: newId('tnt_session'),
  deadline: createDeadline(1_000),
})

const failureOf = async (proof: Promise<unknown>) => {
  const error = await proof.catch((thrown: unknown) => thrown)
  return isProblem(error) ? error.code : error
}

describe('T9 proof of ownership', () => {
  it('needs no draft with a link, also while Postgres is unavailable', async () => {
    const proved = { ...ref, isOwnSession: false, draft: null }
    expect(await proveOwnership(deps, { ...claimant(), token })).toEqual(proved)
    expect(await proveOwnership(broken, { ...claimant(), token })).toEqual(proved)
    expect(reported).toEqual([outage])
  })

  it('is undecided without a link while Postgres is unavailable: not "not found"', async () => {
    const proof = proveOwnership(broken, { ...claimant(), token: undefined })
    expect(await failureOf(proof)).toBe(outage)
  })

  it('ends with the link', async () => {
    const later = { ...deps, clock: { now: () => new Date('2026-12-04T00:00:00Z') } }
    const proof = proveOwnership(later, { ...claimant(), token })
    expect(await failureOf(proof)).toBe('MELMASTOON.BFF.TENANT.CONFIRMATION_NOT_FOUND')
  })
})
