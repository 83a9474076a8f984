import { readClientInfo } from '@melmastoon/bff/guests'
import { RELEASE_CACHING } from '@melmastoon/bff/languages'
import { type App, addHeader, sendCached } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { choicesBytes, PlatformChoices } from '../../preferences/platform-choices.ts'
import { TEXT_QUERY } from '../preference-query.ts'
import { choosePublicDocument, dropOwnHeaders } from '../public-document.ts'

const schema = {
  querystring: Type.Object(TEXT_QUERY),
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
  app.get('/bff/consumer/v1/locales', { config, schema }, (request, reply) => {
    const { query } = request
    const { locale } = choosePublicDocument(query, readClientInfo(request)).preferences
    dropOwnHeaders(reply)
    addHeader(reply, 'content-language', locale)
    const vary = query.locale === undefined ? { vary: 'Accept-Language' } : {}
    sendCached(reply, choicesBytes(locale), { ...RELEASE_CACHING, ...vary })
  })
}
