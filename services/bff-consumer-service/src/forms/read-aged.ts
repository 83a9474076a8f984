import type { CachedBytes } from '@melmastoon/chassis/cache'
import type { ConsumerContext } from '../context.ts'
import { readForm } from './read-form.ts'

export interface Aging {
  /** The one section of the answer. */
  readonly section: string
  /** Younger than that it is only being renewed, not old. */
  readonly freshMs: number
}

/**
 * The kept answer, saying `stale` where it is served for want of a newer one. Plain replacement is
 * safe: within a JSON string each of these quotes would have a backslash before it.
 */
export async function readAged(
  ctx: Pick<ConsumerContext, 'forms'>,
  origin: CachedBytes,
  { section, freshMs }: Aging,
): Promise<CachedBytes> {
  if (origin.state !== 'stale' || origin.ageMs < freshMs) return origin
  const write = (text: string) =>
    text
      .replace(`"${section}":{"status":"fresh"`, `"${section}":{"status":"stale"`)
      .replace('"degraded":false', '"degraded":true')
  return await readForm(ctx, origin, { name: `${section} stale`, write })
}
