import {
  type App,
  addHeader,
  addressLimitHook,
  createAddressLimit,
  sendCached,
} from '@melmastoon/chassis/http'
import type { ProblemCode } from '@melmastoon/domain'
import { text } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import { knownLocale } from '../preferences/index.ts'
import { catalogueBytes, MessageCatalogue } from './message-catalogue.ts'

export interface MessageRoute {
  readonly path: string
  readonly operation: string
  /** The code of the service for a locale that the platform does not support. */
  readonly notSupported: ProblemCode
}

/** It changes with a release: browsers check for a new version after five minutes. */
export const RELEASE_CACHING = {
  cacheControl: 'public, max-age=300, s-maxage=3600, stale-while-revalidate=86400',
}

/** A page needs it once per language; many guests share an address. */
const LIMIT = { name: 'messages', limit: 600, periodSeconds: 60, burst: 100 }

const schema = {
  params: Type.Object({
    locale: Type.String({ ...text(35), description: 'Matched by lookup: `en-US` is `en`' }),
  }),
  response: {
    200: MessageCatalogue,
    304: Type.Null({ description: 'As in the response with this entity tag' }),
  },
}

/** Needs neither session nor token: a client shows errors of the sign-in, too. */
export function serveMessages(app: App, { path, operation, notSupported }: MessageRoute): void {
  const config = {
    operation,
    responseHeaders: ['Cache-Control', 'Content-Language', 'ETag'],
    problems: [notSupported, 'MELMASTOON.GENERAL.RATE_LIMITED'],
  } as const
  const onRequest = addressLimitHook(createAddressLimit(LIMIT))
  app.get(path, { config, schema, onRequest }, (request, reply) => {
    const locale = knownLocale(request.params.locale, notSupported, '/params/locale')
    addHeader(reply, 'content-language', locale)
    sendCached(reply, catalogueBytes(locale), RELEASE_CACHING)
  })
}
