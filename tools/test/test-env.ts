const SERVERS = ['DATABASE_URL', 'REDIS_SESSION_URL', 'REDIS_CACHE_URL', 'EVENT_TRANSPORT']

/** Tests start servers of their own: those of the caller are out of their sight. */
export function testEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(
    ([name]) => !SERVERS.includes(name) && !/^MELMASTOON_.*_PORT$/.test(name),
  )
  return Object.fromEntries(kept)
}
