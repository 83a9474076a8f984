import type { Problem } from '@melmastoon/domain'
import type { OutboxEvent } from '@melmastoon/events'
import type { SqlFragment } from '../db/index.ts'
import type { ResponseDraft } from './stored-response.ts'

/** A mutation that is one SQL statement. */
export interface WritePlan {
  /** Selects `from claimed` and returns a row when it did something. */
  readonly effect: SqlFragment
  /** Written only if the claim is won, which is seen to here. */
  readonly events?: readonly OutboxEvent[]
  /** Known beforehand: ids are made by the caller. */
  readonly response: ResponseDraft
  /** What the caller is told when the effect touches no row. */
  readonly refusal?: () => Problem
}
