import {
  type App,
  idempotent,
  PRIVATE_HEADERS,
  type SchemaRequest,
  sessionMutation,
} from '@melmastoon/chassis/http'
import { id } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'
import type { ConsumerContext } from '../../context.ts'
import { removeWish } from '../../wishlist/remove-wish.ts'
import { requireGuestActor } from '../request-guest.ts'
import type { Hooks } from './index.ts'

const schema = {
  params: Type.Object({ propertyId: id('ppt') }),
  response: {
    204: Type.Null({
      description: 'The hotel is not on the wishlist, whether or not it was before',
    }),
  },
}

type RemoveRequest = SchemaRequest<typeof schema>

export function removeWishRoute(app: App, ctx: ConsumerContext, { session }: Hooks) {
  app.delete(
    '/bff/consumer/v1/wishlist/:propertyId',
    { config: { operation: 'consumer.wishlist.remove' }, schema },
    idempotent(
      sessionMutation<RemoveRequest>({ ctx, session }),
      async (request, claim, { deadline }) => {
        const { propertyId } = request.params
        const wishRequest = { ...requireGuestActor(ctx, session, request), propertyId, deadline }
        await removeWish(ctx, wishRequest, (tx) =>
          claim.completeIn(tx, { status: 204, headers: PRIVATE_HEADERS }),
        )
        return undefined
      },
    ),
  )
}
