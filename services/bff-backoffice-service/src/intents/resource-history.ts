import type { OperatorId } from '@melmastoon/domain'
import type { CurrentState, Maker } from './intent.ts'

/** What upstreams keep of every versioned resource. */
export interface Versioned {
  readonly version: number
  readonly status: string
  readonly updatedAt: string
  readonly history: readonly {
    readonly version: number
    readonly status: string
    readonly at: string
    readonly operatorId?: OperatorId
    readonly causationId?: string
  }[]
}

/** Whether a version of the resource was made by this cause. */
export function isMadeBy({ history }: Pick<Versioned, 'history'>, causationId: string): boolean {
  return history.some((entry) => entry.causationId === causationId)
}

/** Who brought the resource into one of these states last; null: it is in none of them. */
export function makerOf(resource: Versioned, statuses: readonly string[]): Maker | null {
  if (!statuses.includes(resource.status)) return null
  const { history } = resource
  const before = history.findLastIndex(({ status }) => !statuses.includes(status))
  const entry = history[before + 1]
  return { by: entry?.operatorId ?? null, at: entry?.at ?? resource.updatedAt }
}

/** Who made the current version, if it is not the expected one. */
export function newerThan(
  resource: Versioned,
  expected: number,
): (Maker & { readonly current: CurrentState }) | null {
  return resource.version === expected ? null : lastChange(resource)
}

export function lastChange({
  version,
  status,
  updatedAt,
  history,
}: Versioned): Maker & { readonly current: CurrentState } {
  const last = history.at(-1)
  return {
    by: last?.operatorId ?? null,
    at: last?.at ?? updatedAt,
    current: { status, version },
  }
}
