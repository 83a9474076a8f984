import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import type { BookingContext } from '../../context.ts'
import { PolicyList, readPolicies } from '../../policies/read-policies.ts'
import { chooseLocale } from '../../sessions/site-preferences.ts'
import type { Hooks } from './index.ts'

const DEADLINE_MS = 2_500
const CACHE_CONTROL = 'private, max-age=60'

const schema = {
  querystring: Type.Object({
    locale: Type.Optional(
      Type.String({ minLength: 1, maxLength: 35, description: 'By default that of the session' }),
    ),
  }),
  response: { 200: PolicyList },
}

/** In the requested language, else that of the session. Reading starts no session. */
export function listPoliciesRoute(app: App, ctx: BookingContext, { session }: Hooks) {
  const config = {
    operation: 'booking.policy.list',
    deadlineMs: DEADLINE_MS,
    responseHeaders: ['Cache-Control', 'Content-Language'],
    problems: ['MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED'],
  } as const
  app.get('/policies', { config, schema }, async (request, reply) => {
    const { site, deadline, trace, headers } = request
    const lookup = session.lookupOf(request)
    const locale = chooseLocale(site, {
      explicit: request.query.locale,
      preferred: lookup.kind === 'none' ? undefined : lookup.session.data.localePreference,
      acceptLanguage: headers['accept-language'],
      pointer: '/query/locale',
    })
    const requested = { tenantId: site.tenantId, locale }
    const policies = await readPolicies(ctx, requested, { deadline, trace })
    reply.header('cache-control', CACHE_CONTROL).header('content-language', locale)
    return policies
  })
}
