import { describeCrashes } from './crash-journey.ts'

/** One crash point of each kind; `npm run test:faults` tests all of them. */
describeCrashes(['idempotency.before_complete', 'relay.after_publish', 'inbox.after_effect'])
