// Plain JavaScript for Node 20: this runs before any package is installed.
import { startHelp } from './start-help.mjs'

/** By the name of the npm script; what `--help` prints. */
const USAGES = {
  test: `npm test                     run all checks and tests, on servers of its own
npm test -- <path> [-t name]  run selected tests only; other options are those of vitest`,
  'test:faults': `npm run test:faults           run the long forms of the failure tests
npm run test:faults -- <path> [-t name]`,
  check: `npm run check                 run all checks
npm run check -- <name>…      run some of them; an unknown name lists all names`,
  bench: `npm run bench                 run all benchmarks
npm run bench -- --write      the same, and write the tables of docs/benchmarks.md
npm run bench -- --growth full   with 100,000 hotels, too
npm run bench -- --short      check that every row runs, without a measurement
npm run bench -- <row>…       run some rows; an unknown name lists all names`,
  'bench:peak-300rps': `npm run bench:peak-300rps     measure the back office at 300 requests a second`,
  'demo:traveller': `npm run demo:traveller        from the first search to the booking link; npm start must run here
CONSUMER_URL, CONSUMER_INTERNAL_URL, SERVICE_SECRET and HANDOFF_KEY select other services.`,
  'demo:guest': `npm run demo:guest            six bookings, from the search to confirmation or refund; npm start must run here
CONSUMER_URL, BOOKING_URL, SANDBOX_URL and SERVICE_SECRET select other services.`,
  'demo:staff': `npm run demo:staff            a day at the front desk; npm start must run here
BACKOFFICE_URL, BACKOFFICE_PUBLIC_URL and SANDBOX_URL select other services.`,
  jobs: `npm run jobs                          list the jobs of all services
npm run jobs -- [<service>] <name>    run one`,
  bookings: `npm run bookings -- show <draftId>        print the timeline of a booking
npm run bookings -- due <draftId> | all   make its payment due, or all payments`,
  flags: `npm run flags -- <service> get                  print the flags of a service
npm run flags -- <service> set <name> <json>
npm run flags -- <service> unset <name>`,
  outbox: `npm run outbox -- [<service>] depth | dead             count pending events, list dead ones
npm run outbox -- <service> replay <eventId>…          publish events again
npm run outbox -- <service> replay-since <time>`,
  lake: `npm run lake -- "<select>"    read the audit lake with SQL; also while the product is stopped`,
  locks: `npm run locks -- show <id> | open                              print actions on room keys
npm run locks -- settle <id> success|failure <operatorId>      decide an unknown outcome`,
  contracts: `npm run contracts             write OpenAPI, AsyncAPI, event and database schemas and client types`,
  structure: `npm run structure             print files and lines per package, and feature dependencies`,
}

export const isHelpRequested = (argv) => argv.includes('--help') || argv.includes('-h')

/** @param {string} name of the npm script */
export function usageOf(name, root) {
  return name === 'start' ? startHelp(root) : USAGES[name]
}
