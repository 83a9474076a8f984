import type { Subscriptions } from '@melmastoon/chassis/service'
import { onOperatorRoleChanged, onStaffSessionRevoked } from './access/session-handlers.ts'
import type { BackofficeContext } from './context.ts'

export const subscriptions: Subscriptions<BackofficeContext> = {
  name: 'bff-backoffice',
  handlers: (ctx) => [onStaffSessionRevoked(ctx), onOperatorRoleChanged(ctx)],
}
