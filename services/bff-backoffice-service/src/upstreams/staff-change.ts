import { asRejectedRequest, type UpstreamCall } from '@melmastoon/bff/upstreams'
import { UpstreamRejection } from '@melmastoon/chassis/upstream'
import {
  type DeviceId,
  type OperatorId,
  type ProblemCode,
  problem,
  type TenantId,
} from '@melmastoon/domain'
import type { Actor } from '@melmastoon/upstream-contracts'

/** Who changes something, as upstreams record it. */
export interface StaffActor {
  readonly tenantId: TenantId
  readonly operatorId: OperatorId
  readonly deviceId: DeviceId
}

/** What every change by staff has besides its own content. */
export interface StaffChange {
  readonly actor: StaffActor
  /** What caused the change, for the history of the resource. */
  readonly causationId?: string | undefined
  /** The version that the client has read; another current version rejects the change. */
  readonly expectedVersion?: number | undefined
}

/** The same key in every attempt of a change. */
export interface ChangeCall extends UpstreamCall {
  readonly idempotencyKey: string
}

interface ChangeBody {
  readonly actor: Actor
  readonly causationId?: string
  readonly expectedVersion?: number
}

export function changeBody({ actor, causationId, expectedVersion }: StaffChange): ChangeBody {
  const { operatorId, deviceId } = actor
  return {
    actor: { operatorId, deviceId },
    ...(causationId !== undefined && { causationId }),
    ...(expectedVersion !== undefined && { expectedVersion }),
  }
}

/** For `catch`: these rejections are for the client; an unknown id is one code for all (D18). */
export function passing(codes: readonly ProblemCode[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof UpstreamRejection)) throw error
    if (error.status === 404) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    const code = codes.find((candidate) => candidate === error.code)
    if (code === undefined) return asRejectedRequest(error)
    throw problem(code, { cause: error })
  }
}
