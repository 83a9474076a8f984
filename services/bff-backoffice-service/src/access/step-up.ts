import type { ClientOf, UpstreamCall } from '@melmastoon/bff/upstreams'
import type { Clock } from '@melmastoon/chassis/clock'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import type { Metrics } from '@melmastoon/chassis/telemetry'
import { type Id, isId, isProblem, type ProblemCode, problem } from '@melmastoon/domain'
import type { iamContract, MfaChallenge, MfaFactor } from '@melmastoon/upstream-contracts/iam'
import {
  ATTESTATION_MS,
  Attestations,
  type AttestationUse,
  type StepUpPurpose,
} from './attestations.ts'
import { asIamProblem } from './iam-errors.ts'
import type { Operator } from './operator.ts'
import { createStoreEpoch } from './store-epoch.ts'

export interface StepUpDeps {
  readonly upstreams: {
    readonly iam: Pick<ClientOf<typeof iamContract>, 'createMfaChallenge' | 'attest' | 'factors'>
  }
  readonly sessionRedis: Redis
  readonly keys: KeySpace
  readonly clock: Clock
  readonly metrics: Metrics
}

export const MFA_PROBLEMS = [
  'MELMASTOON.IAM.MFA_FAILED',
  'MELMASTOON.IAM.MFA_LOCKED',
] as const satisfies readonly ProblemCode[]

type KeyedCall = UpstreamCall & { readonly idempotencyKey: string }

/** A one-time code, or the signature of a challenge. */
export interface SecondFactor {
  readonly factor: MfaFactor
  readonly code?: string
  readonly challengeId?: Id<'chl'>
  readonly assertion?: string
}

export interface Attestation {
  readonly attestationId: Id<'mfa'>
  readonly factor: MfaFactor
  readonly expiresAt: Date
}

/** What a second factor is to confirm. */
export interface Confirmation {
  readonly purpose: StepUpPurpose
  readonly factor: SecondFactor
}

/** The attestation that a request presents. */
export interface PresentedAttestation extends AttestationUse {
  readonly attestationId: string | undefined
}

export interface StepUp {
  /** For the authenticator of the operator to sign; it contains a hash of the purpose. */
  challenge(operator: Operator, purpose: StepUpPurpose, call: KeyedCall): Promise<MfaChallenge>
  /** The factors that the operator can use, the preferred one first. */
  factors(operator: Operator, call: UpstreamCall): Promise<MfaFactor[]>
  /** @throws Problem IAM.MFA_FAILED, IAM.MFA_LOCKED */
  confirm(operator: Operator, confirmation: Confirmation, call: KeyedCall): Promise<Attestation>
  /**
   * Uses the attestation up. A repeated request with the same `usedBy` passes again.
   * @throws Problem STEP_UP_REQUIRED whatever is wrong with it; DEPENDENCY_UNAVAILABLE
   */
  consume(operator: Operator, presented: PresentedAttestation): Promise<Id<'mfa'>>
}

/** The actions that a second factor confirms; also labels of the metric. */
export const STEP_UP_ACTIONS = ['lock.revoke', 'folio.charge'] as const
const SCOPES: ReadonlySet<string> = new Set(STEP_UP_ACTIONS)

export function createStepUp(deps: StepUpDeps): StepUp {
  const { iam } = deps.upstreams
  const { sessionRedis: redis, keys } = deps
  const epoch = createStoreEpoch(redis, keys.prefix('proof-epoch'))
  const attestations = new Attestations(redis, keys.prefix('mfa'), epoch)
  const total = deps.metrics.counter({
    name: 'mfa_attestation_total',
    help: 'Second factors: confirmed or rejected by iam, attestations used or rejected',
    labels: ['scope', 'outcome'],
  })
  const count = ({ action }: StepUpPurpose, outcome: string) =>
    total.inc({ scope: SCOPES.has(action) ? action : 'other', outcome })
  return {
    async challenge({ tenantId, operatorId, deviceId }, purpose, call) {
      return await iam
        .createMfaChallenge({ body: { operatorId, deviceId, ...purpose } }, { ...call, tenantId })
        .catch(asIamProblem(MFA_PROBLEMS))
    },
    async factors({ tenantId, operatorId }, call) {
      const { factors } = await iam
        .factors({ params: { operatorId } }, { ...call, tenantId })
        .catch(asIamProblem([]))
      // Two codes of one operator are 30 seconds apart; signatures are not limited.
      return factors.toSorted()
    },
    async confirm(operator, { purpose, factor }, call) {
      const { tenantId, operatorId, deviceId, sessionId } = operator
      const body = { operatorId, deviceId, sessionId, ...purpose, ...factor }
      const attested = await iam
        .attest({ body }, { ...call, tenantId })
        .catch(asIamProblem(MFA_PROBLEMS))
        .catch((error: unknown) => {
          if (isProblem(error) && error.status < 500) count(purpose, 'rejected')
          throw error
        })
      const attestationId = await attestations.issue(operator, purpose)
      count(purpose, 'confirmed')
      const expiresAt = new Date(deps.clock.nowMs() + ATTESTATION_MS)
      return { attestationId, factor: attested.factor, expiresAt }
    },
    async consume(operator, { attestationId, purpose, usedBy }) {
      const isUsed =
        isId('mfa', attestationId) &&
        (await attestations.consume(attestationId, operator, { purpose, usedBy }))
      count(purpose, isUsed ? 'used' : 'rejected')
      if (!isUsed) throw stepUpRequired(purpose)
      return attestationId
    },
  }
}

/** Names what has to be confirmed, so that the client can ask for it. */
function stepUpRequired(stepUp: StepUpPurpose) {
  return problem('MELMASTOON.SECURITY.STEP_UP_REQUIRED', { extensions: { stepUp } })
}
