/** All limits are checked for every request, but high enough for one guest at one address. */
export const endlessLimit = (name: string) => ({ name, limit: 100_000_000, periodSeconds: 1 })
