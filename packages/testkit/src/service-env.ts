/** A key ring of one key, the same in every process that names it. Nothing depends on its value. */
export function fixedKeys(fill: string | number, id = 'k1'): string {
  return `${id}:active:${Buffer.alloc(32, fill).toString('base64url')}`
}

/** `UPSTREAM_<NAME>_URL` for each of the upstreams, below one address. */
export function upstreamEnv(url: string, names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [`UPSTREAM_${name.toUpperCase()}_URL`, `${url}/${name}`]),
  )
}
