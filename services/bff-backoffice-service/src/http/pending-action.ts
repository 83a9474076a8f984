import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'

/** Without a name: as part of a request it allows no other members. */
export const PendingAction = Type.Object({
  name: Type.String({
    pattern: '^[a-z_]{2,30}\\.[a-z_]{2,30}$',
    description: 'As in offline actions: `task.complete`',
  }),
  count: Type.Integer({ minimum: 1, maximum: 10_000 }),
  oldestAt: Type.Optional(Type.String({ format: 'date-time' })),
})

export const PendingActionVM = named('PendingAction', PendingAction)
