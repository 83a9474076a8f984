import { consumerService } from '@melmastoon/bff-consumer-service'
import { buildContext } from '@melmastoon/chassis/service'
import { toIsoDateTime } from '@melmastoon/domain'
import { measureWork } from '../../harness/measure-work.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

const COOKIE_NAME = '__Host-gms_id'
const IN_FLIGHT = 64

export interface NewGuests {
  readonly count: number
  /** When another process has last seen them, relative to now. */
  readonly seenAfterMs: number
}

/** Another process of the service that stores sessions, which the measured one does not know. */
async function makeGuests({ count, seenAfterMs }: NewGuests): Promise<string[]> {
  await using ctx = buildContext(consumerService, consumerService.config.read(process.env), {})
  const seenAt = toIsoDateTime(new Date(Date.now() + seenAfterMs))
  const cookies: string[] = []
  const run = async () => {
    const { session, cookieValue } = ctx.sessions.start({
      createdAt: toIsoDateTime(new Date()),
      lastSeenAt: seenAt,
      localePreference: 'en',
      currencyPreference: 'USD',
      cookieFingerprintHash: ctx.hashes.hash('the device of a benchmark'),
      recentlyViewed: [],
      wishlistRefs: [],
      searchHistory: [],
      flags: { consentTelemetry: true, consentMarketing: false },
    })
    await ctx.sessions.store(session)
    cookies.push(`${COOKIE_NAME}=${cookieValue}`)
  }
  await measureWork({ count, inFlight: IN_FLIGHT, run })
  return cookies
}

serveCommands({ makeGuests })
