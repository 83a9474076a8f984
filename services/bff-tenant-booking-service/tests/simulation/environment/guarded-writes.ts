import type { Statement } from '@melmastoon/chassis/db'
import { type DraftId, uuidToId } from '@melmastoon/domain'
import type { Violation } from '../invariants/observation.ts'
import type { ObservedRows } from './observed-rows.ts'

/** A statement as the service sent it, and the rows before it. */
export interface Write {
  readonly statement: Statement<unknown>
  /** Whether it has changed something. */
  readonly hasEffect: boolean
  readonly before: ObservedRows
}

const FENCE = /f\.draft_id = \$(\d+)::uuid and f\.attempt = \$(\d+)::int/
const VERSION = /d\.id = \$(\d+)::uuid and d\.version = \$(\d+)::int/

/** No write of a claim that was overtaken, and none that is based on an outdated draft. */
export function staleWrites({ statement, hasEffect, before }: Write): Violation[] {
  if (!hasEffect) return []
  const fence = expectation(statement, FENCE)
  const record = before.records.find(({ draftId }) => draftId === fence?.draftId)
  const version = expectation(statement, VERSION)
  const draft = before.drafts.find(({ draftId }) => draftId === version?.draftId)
  return [
    ...(fence !== null && record !== undefined && record.attempt !== fence.value
      ? [{ id: 'fence', detail: `claim ${fence.value} wrote during claim ${record.attempt}` }]
      : []),
    ...(version !== null && draft !== undefined && draft.version !== version.value
      ? [{ id: 'version', detail: `version ${version.value} replaced ${draft.version}` }]
      : []),
  ]
}

function expectation({ text, values }: Statement<unknown>, pattern: RegExp) {
  const [, id, value] = pattern.exec(text) ?? []
  if (id === undefined || value === undefined) return null
  const draftId: DraftId = uuidToId('bdr', String(values[Number(id) - 1]))
  return { draftId, value: Number(values[Number(value) - 1]) }
}

/** One claim at a time: a new one only after the lease of the one before. */
export function overlappingClaims(
  before: ObservedRows,
  after: ObservedRows,
  nowMs: number,
): Violation[] {
  return after.records
    .filter((record) => {
      const earlier = before.records.find(({ draftId }) => draftId === record.draftId)
      return (
        earlier !== undefined && earlier.attempt !== record.attempt && earlier.leaseUntilMs > nowMs
      )
    })
    .map(({ draftId }) => ({ id: 'claim', detail: `${draftId} was claimed twice` }))
}
