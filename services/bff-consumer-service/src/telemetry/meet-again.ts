import type { ConsumerContext } from '../context.ts'
import type { Witnessed } from './report.ts'

/**
 * The guest as she is now. While others were asked she may have withdrawn her consent, which holds
 * at once and in every process (C8), or left: then it is null.
 */
export async function meetAgain<W extends Witnessed>(
  { sessions }: Pick<ConsumerContext, 'sessions'>,
  witnessed: W,
): Promise<W | null> {
  const session = await sessions.reload(witnessed.session)
  return session === null ? null : { ...witnessed, session }
}
