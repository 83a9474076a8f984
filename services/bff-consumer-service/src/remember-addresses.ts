import { LRUCache } from 'lru-cache'

/** What a cache keeps something by. Frozen, so that its key is made once. */
export interface Address<Name extends string, Id extends string> {
  readonly dims: Readonly<Record<Name, Id>>
  readonly tags: readonly string[]
}

const ADDRESSES_MAX = 5_000

/** The same hotels and brands are on every other page: each has one address. */
export function rememberAddresses<Name extends string, Id extends string>(
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
