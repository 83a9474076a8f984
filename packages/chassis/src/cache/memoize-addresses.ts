import { LRUCache } from 'lru-cache'

/** The dimensions and tags of a cache entry. Frozen, so that the cache computes the key once. */
export interface Address<Name extends string, Id extends string> {
  readonly dims: Readonly<Record<Name, Id>>
  readonly tags: readonly string[]
}

const ADDRESSES_MAX = 5_000

/** For ids that many requests share: the address of each is created once. */
export function memoizeAddresses<Name extends string, Id extends string>(
  name: Name,
  tagsOf: (id: Id) => readonly string[],
): (id: Id) => Address<Name, Id> {
  const known = new LRUCache<Id, Address<Name, Id>>({ max: ADDRESSES_MAX })
  return (id) => {
    const seen = known.get(id)
    if (seen !== undefined) return seen
    const dims = Object.freeze({ [name]: id } as Record<Name, Id>)
    const address = { dims, tags: tagsOf(id) }
    known.set(id, address)
    return address
  }
}
