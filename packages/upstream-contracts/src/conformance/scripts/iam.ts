import { createPrivateKey, sign } from 'node:crypto'
import type { Script } from '../clients.ts'
import { signInStaff } from '../sign-in-staff.ts'

export const iamScript: Script = {
  upstream: 'iam',
  async run({ clients, staffAccount }) {
    const { iam } = clients
    const account = staffAccount()
    const { tenantId, operatorId, deviceId, sessionId, refreshToken, jkt } =
      await signInStaff(account)
    const own = { tenantId }
    await iam.jwks({})
    await iam.refresh({ body: { refreshToken, jkt } })
    await iam.validateSession({ params: { sessionId }, query: { jkt } }, own)
    await iam.listDevices({ query: {} }, own)
    await iam.factors({ params: { operatorId } }, own)
    const purpose = {
      operatorId,
      deviceId,
      action: 'conformance',
      resourceKind: 'none',
      resourceId: 'none',
    }
    const { challengeId, challenge } = await iam.createMfaChallenge({ body: purpose }, own)
    const key = createPrivateKey({ key: { ...account.authenticatorJwk }, format: 'jwk' })
    const assertion = sign(null, Buffer.from(challenge), key).toString('base64url')
    const factor = 'signed_challenge' as const
    await iam.attest({ body: { ...purpose, sessionId, factor, challengeId, assertion } }, own)
    const body = { reasonCode: 'conformance' }
    await iam.revokeSession({ params: { sessionId }, body }, own)
  },
}
