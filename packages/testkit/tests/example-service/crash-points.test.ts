import { describeCrashes } from './crash-journey.ts'

/** One place of each kind; `npm run test:faults` goes through all of them. */
describeCrashes(['idempotency.before_complete', 'relay.after_publish', 'inbox.after_effect'])
