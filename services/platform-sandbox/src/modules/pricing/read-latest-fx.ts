import { problem } from '@melmastoon/domain'
import type { RateBook } from './rate-book.ts'
import { type FxSnapshot, renderFx } from './read-fx.ts'
import { agedFx } from './scenarios.ts'

export async function readLatestFx(
  book: RateBook,
  scenario: string | undefined,
): Promise<FxSnapshot> {
  const { fx, nowMs } = await book.open([])
  const aged = agedFx(fx, scenario)
  if (aged === null) throw problem('MELMASTOON.PRICING.FX_SNAPSHOT_STALE')
  return renderFx(aged, nowMs)
}
