const SERVERS = ['DATABASE_URL', 'REDIS_SESSION_URL', 'REDIS_CACHE_URL', 'EVENT_TRANSPORT']

/** Tests start their own servers and do not see those of the caller. */
export function testEnv(
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const passedOn = Object.entries(env).filter(
    ([name]) => !SERVERS.includes(name) && !/^MELMASTOON_.*_PORT$/.test(name),
  )
  return Object.fromEntries(passedOn)
}
