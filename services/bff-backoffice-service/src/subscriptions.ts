import type { Subscriptions } from '@melmastoon/chassis/service'
import type { BackofficeContext } from './context.ts'

export const subscriptions: Subscriptions<BackofficeContext> = {
  name: 'bff-backoffice',
  handlers: () => [],
}
