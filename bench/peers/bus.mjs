import { Redis } from 'ioredis'

/** The same Redis stream for all alternatives; only the way of publishing differs. */
export function openStream(url) {
  const redis = new Redis(url, { enableAutoPipelining: true })
  const key = 'bench:stream'
  const add = (event) =>
    redis.xadd(
      key,
      'MAXLEN',
      '~',
      1_000_000,
      '*',
      'k',
      event.orderingKey,
      'e',
      event.eventId,
      'b',
      JSON.stringify({ envelope: event.envelope, payload: event.payload }),
      'a',
      '{}',
    )
  return { add, clear: () => redis.del(key), length: () => redis.xlen(key) }
}

export function makeEvents(event, count) {
  return Array.from({ length: count }, (_, index) => {
    const eventId = `evt_${String(index).padStart(26, '0')}`
    return { ...event, eventId, envelope: { ...event.envelope, eventId } }
  })
}

/** Time and CPU until every event is on the bus. */
export async function timeUntil(work) {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  await work()
  const wallMs = performance.now() - startedAt
  const { user, system } = process.cpuUsage(before)
  return { cpuUs: user + system, wallMs, p50Ms: Number.NaN, p99Ms: Number.NaN }
}
