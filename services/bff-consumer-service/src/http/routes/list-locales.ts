import { RELEASE_CACHING } from '@melmastoon/bff/languages'
import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { choicesBytes, PlatformChoices } from '../../preferences/platform-choices.ts'
import { guestPreferences } from '../../sessions/guest-preferences.ts'
import { dropOwnHeaders } from '../public-document.ts'

const schema = {
  querystring: Type.Object({ locale: Type.Optional(text(35)) }),
  response: {
    200: PlatformChoices,
    304: Type.Null({ description: 'As in the response with this entity tag' }),
  },
}
const config = {
  operation: 'consumer.locale.list',
} as const

/** A public document (D5): the session makes no difference. */
export function listLocalesRoute(app: App) {
  app.get('/bff/consumer/v1/locales', { config, schema }, ({ query, headers }, reply) => {
    const locale = guestPreferences.locale({
      explicit: query.locale,
      preferred: undefined,
      acceptLanguage: headers['accept-language'],
      pointer: '/query/locale',
    })
    dropOwnHeaders(reply)
    addHeader(reply, 'content-language', locale)
    const vary = query.locale === undefined ? { vary: 'Accept-Language' } : {}
    sendCached(reply, choicesBytes(locale), { ...RELEASE_CACHING, ...vary })
  })
}
