import { describeCrashes } from './crash-journey.ts'

describeCrashes([
  'idempotency.after_claim',
  'idempotency.before_complete',
  'idempotency.before_send',
  'relay.after_read',
  'relay.after_publish',
  'relay.mid_batch',
  'inbox.before_effect',
  'inbox.after_effect',
  'inbox.after_commit',
])
