import { type Id, type IdPrefix, uuidToId } from '@melmastoon/domain'

export type NewId = <P extends IdPrefix>(prefix: P) => Id<P>

/** Ids that are equal in every run of a history, in creation order. */
export function simulatedIds(): NewId {
  let count = 0
  return (prefix) => {
    count += 1
    return uuidToId(prefix, `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`)
  }
}
