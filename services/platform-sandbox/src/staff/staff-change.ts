import { type Id, idToUuid, toIsoDateTime, uuidToId } from '@melmastoon/domain'
import type { Actor } from '@melmastoon/upstream-contracts'

/** Who or what made a change: both are null for an effect of the system. */
export interface ChangeOrigin {
  readonly operatorId: Id<'opr'> | null
  readonly causationId: string | null
}

export function originOf(body: { actor: Actor; causationId?: string }): ChangeOrigin {
  return { operatorId: body.actor.operatorId, causationId: body.causationId ?? null }
}

export function operatorUuid({ operatorId }: ChangeOrigin): string | null {
  return operatorId === null ? null : idToUuid(operatorId)
}

/** An entry of a history as JSON of Postgres. */
export interface HistoryRow<Status extends string> {
  readonly version: number
  readonly status: Status
  readonly at: string
  readonly operator_id: string | null
  readonly causation_id: string | null
}

export function toHistory<Status extends string>(row: HistoryRow<Status>) {
  const { version, status, at, operator_id: operator, causation_id: causationId } = row
  return {
    version,
    status,
    at: toIsoDateTime(new Date(at)),
    ...(operator !== null && { operatorId: uuidToId('opr', operator) }),
    ...(causationId !== null && { causationId }),
  }
}
