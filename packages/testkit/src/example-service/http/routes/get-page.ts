import type { CachedBytes } from '@melmastoon/chassis/cache'
import { type App, sendCached } from '@melmastoon/chassis/http'
import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { peekPage, readPage } from '../../page/read-page.ts'
import { Catalogue } from '../../upstream/read-catalogue.ts'

const Query = Type.Object({
  locale: Type.Enum([...LOCALES]),
  currency: Type.Enum([...CURRENCY_CODES]),
})
const Page = Type.Object({ ...Query.properties, ...Catalogue.properties })
const HEADERS = { cacheControl: 'private, max-age=15' }

/** The warm path answers without a promise: session, limit and page are all in this process. */
export function getPageRoute(app: App, ctx: ExampleContext) {
  app.get(
    '/example/v1/page',
    {
      config: { operation: 'example.page.read', deadlineMs: 3_000 },
      schema: { querystring: Query, response: { 200: Page } },
    },
    (request, reply) => {
      const send = (page: CachedBytes) => sendCached(reply, page, HEADERS)
      const warm = peekPage(ctx, request.query)
      if (warm !== undefined) return send(warm)
      return readPage(ctx, request.query, request.deadline).then(send)
    },
  )
}
