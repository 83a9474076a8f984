/**
 * The dimensions of a request that is used again: computed once, and frozen, so that the cache also
 * computes the key once.
 */
export function memoizeDims<Request extends object, Dims extends object>(
  dimsOf: (request: Request) => Dims,
): (request: Request) => Readonly<Dims> {
  const known = new WeakMap<Request, Readonly<Dims>>()
  return (request) => {
    const seen = known.get(request)
    if (seen !== undefined) return seen
    const dims = Object.freeze(dimsOf(request))
    known.set(request, dims)
    return dims
  }
}
