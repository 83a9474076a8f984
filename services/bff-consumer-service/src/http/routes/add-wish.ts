import {
  type App,
  idempotent,
  PRIVATE_HEADERS,
  type SchemaRequest,
  sessionMutation,
} from '@melmastoon/chassis/http'
import type { ConsumerContext } from '../../context.ts'
import { addWish } from '../../wishlist/add-wish.ts'
import { WishBody, WishVM } from '../../wishlist/wish.ts'
import { requireGuestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = { body: WishBody, response: { 200: WishVM, 201: WishVM } }

type AddRequest = SchemaRequest<typeof schema>

/** 201 for a new wish, 200 for one that exists already (C6). */
export function addWishRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.post(
    '/bff/consumer/v1/wishlist',
    { config: { operation: 'consumer.wishlist.add' }, schema },
    idempotent(
      sessionMutation<AddRequest>({ ctx, session }),
      async (request, claim, { deadline }) => {
        const { propertyId, source, note } = request.body
        const wishRequest = {
          ...requireGuestActor(ctx, session, request),
          propertyId,
          source,
          note,
          deadline,
          trace: request.trace,
        }
        await addWish(ctx, wishRequest, (tx, { isNew, wish }) =>
          claim.completeIn(tx, { status: isNew ? 201 : 200, body: wish, headers: PRIVATE_HEADERS }),
        )
        return undefined
      },
    ),
  )
}
