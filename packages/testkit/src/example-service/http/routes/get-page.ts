import { type App, sendCached } from '@melmastoon/chassis/http'
import { CURRENCY_CODES, LOCALES } from '@melmastoon/domain'
import { Type } from 'typebox'
import type { ExampleContext } from '../../context.ts'
import { peekPage, readPage } from '../../page/read-page.ts'

const Query = Type.Object({
  locale: Type.Enum([...LOCALES]),
  currency: Type.Enum([...CURRENCY_CODES]),
})
const HEADERS = { cacheControl: 'private, max-age=15' }

/** The warm path answers without a promise: session, limit and page are all in this process. */
export function getPageRoute(app: App, ctx: ExampleContext) {
  app.get(
    '/example/v1/page',
    {
      config: { operation: 'example.page.read', deadlineMs: 3_000 },
      schema: { querystring: Query },
    },
    (request, reply) => {
      const warm = peekPage(ctx, request.query)
      if (warm !== undefined) return sendCached(reply, warm, HEADERS)
      return readPage(ctx, request.query, request.deadline).then((page) =>
        sendCached(reply, page, HEADERS),
      )
    },
  )
}
