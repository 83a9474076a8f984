import { newId } from '@melmastoon/domain'

/** The members of every mutation by staff; each call has its own cause. */
export function staffChange() {
  const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
  return { actor, causationId: newId('int') }
}
