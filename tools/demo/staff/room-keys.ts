import { setTimeout as delay } from 'node:timers/promises'
import type { components } from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { DemoFailure, expectThat } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'
import { rejectionOf, type StaffMember, V1 } from './staff-member.ts'

type Schemas = components['schemas']
type LockAction = Schemas['LockAction']

const KEYS = `${V1}/locks/{reservationId}` as const
const SETTLED_WITHIN_MS = 60_000
const POLL_MS = 500

/** The PIN is for the guest; the demo prints its length only. */
export async function issueKey(
  { say }: StaffDemo,
  desk: StaffMember,
  reservationId: string,
): Promise<string> {
  const { data } = await desk.api.POST(`${KEYS}/issue-key`, {
    params: { path: { reservationId } },
    body: {},
  })
  const pin = data.secret === undefined ? '' : `, a PIN with ${data.secret.pin.length} digits`
  const { keyId, state, vendor, kind = 'key', validUntil } = await settled(desk, data)
  expectThat(keyId !== null && state === 'succeeded', `the key is ${state}`)
  say.step(`Issue a key for the room: ${state}`)
  say.detail(`${keyId}: ${kind} by ${vendor}${pin}, valid until ${validUntil ?? 'check-out'}`)
  return keyId
}

interface Key {
  readonly reservationId: string
  readonly keyId: string
}

/** Without a second factor the lock is not even asked. */
export async function revokeKey(
  { say }: StaffDemo,
  desk: StaffMember,
  { reservationId, keyId }: Key,
): Promise<void> {
  const revoke = (attestationId?: string) =>
    desk.api.POST(`${KEYS}/revoke-key`, {
      params: { path: { reservationId } },
      body: { keyId, reason: 'lost', ...(attestationId !== undefined && { attestationId }) },
    })
  const code = await rejectionOf(revoke())
  say.step('Revoke the lost key without a second factor')
  say.detail(`rejected: ${code}`)
  const attestationId = await stepUp(desk, reservationId)
  say.step('Sign a challenge for this action and this reservation')
  say.detail(`${attestationId}, for one request within five minutes`)
  const { data } = await revoke(attestationId)
  const { state, actionId } = await settled(desk, data)
  expectThat(state === 'succeeded', `the key is not revoked: ${state}`)
  say.step(`Revoke the key: ${state}`)
  const { data: audit } = await desk.api.GET(`${V1}/locks/actions/{actionId}`, {
    params: { path: { actionId } },
  })
  say.detail(`audit ${actionId}: ${audit.transitions.map((each) => each.state).join(' → ')}`)
  const reused = await rejectionOf(revoke(attestationId))
  say.detail(`the attestation for another request: ${reused}`)
}

async function stepUp({ api, device }: StaffMember, reservationId: string): Promise<string> {
  const purpose = {
    action: 'lock.revoke',
    resourceKind: 'reservation',
    resourceId: reservationId,
  } as const
  const { data } = await api.POST(`${V1}/auth/mfa/challenges`, { body: purpose })
  const { challengeId, challenge } = data
  const assertion = device.signChallenge(challenge)
  const confirmed = await api.POST(`${V1}/auth/mfa/step-up`, {
    body: { ...purpose, factor: 'signed_challenge', challengeId, assertion },
  })
  return confirmed.data.attestationId
}

/** Vendors may accept a command first and report later. */
async function settled({ api }: StaffMember, action: LockAction): Promise<LockAction> {
  const { actionId } = action
  const deadlineMs = performance.now() + SETTLED_WITHIN_MS
  for (let current = action; ; ) {
    if (current.settledAt !== null) return current
    if (performance.now() > deadlineMs) throw new DemoFailure(`${actionId} is ${current.state}`)
    await delay(POLL_MS)
    const path = { actionId }
    current = (await api.GET(`${V1}/locks/actions/{actionId}`, { params: { path } })).data
  }
}
