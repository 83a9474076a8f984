/**
 * Which module may import which: the architecture is expressed in folders and enforced here.
 * Run by `npm run check`; tools/check/checks.test.ts shows that each rule fails on a violation.
 */
const tests = '(/tests/|\\.test\\.ts$)'
const chassis = '^packages/chassis/src'
const sandbox = '^services/platform-sandbox/src'
/** Runs and tests the product. The rules for services apply to the example service within. */
const support = '^packages/(one-machine|testkit(?!/src/example-service))/'

/** chassis folder → the sibling folders it may use besides clock and telemetry */
const chassisSiblings = {
  bus: ['redis'],
  cache: ['redis', 'concurrency'],
  clock: [],
  concurrency: ['redis'],
  config: [],
  db: [],
  flags: ['redis'],
  http: ['cache', 'idempotency', 'jobs', 'lifecycle', 'limits', 'sessions'],
  idempotency: ['db', 'redis', 'outbox', 'lifecycle'],
  inbox: ['db', 'bus', 'lifecycle'],
  jobs: ['db', 'idempotency', 'inbox', 'outbox'],
  lifecycle: [],
  limits: ['redis'],
  outbox: ['db', 'bus', 'lifecycle'],
  redis: [],
  /** Builds a service from all of them; no other folder knows it. */
  service: [
    'bus',
    'cache',
    'config',
    'db',
    'flags',
    'http',
    'idempotency',
    'inbox',
    'jobs',
    'lifecycle',
    'limits',
    'outbox',
    'redis',
    'sessions',
    'upstream',
  ],
  sessions: ['concurrency', 'redis'],
  telemetry: [],
  upstream: [],
}

const chassisRules = Object.entries(chassisSiblings).map(([folder, siblings]) => ({
  name: `chassis-${folder}-siblings`,
  severity: 'error',
  from: { path: `${chassis}/${folder}/`, pathNot: tests },
  to: {
    path: `${chassis}/`,
    pathNot: `${chassis}/(${[folder, 'clock', 'telemetry', ...siblings].join('|')})/`,
  },
}))

/**
 * Feature folder of bff-consumer-service → the features it may use. Type-only imports count, too:
 * a feature declares the collaborators it needs as interfaces of its own.
 */
const consumerFeatures = {
  availability: ['derived-responses', 'listings', 'places', 'upstreams'],
  beacons: ['events', 'listings', 'sessions', 'telemetry', 'upstreams', 'views'],
  bots: ['events', 'limits'],
  brands: ['places', 'upstreams'],
  calendar: ['derived-responses', 'hotels', 'listings', 'rates', 'upstreams'],
  cards: ['brands', 'listings', 'rates', 'upstreams'],
  compare: ['cards', 'hotels', 'upstreams'],
  'derived-responses': [],
  events: [],
  facets: ['derived-responses', 'places', 'rates', 'upstreams'],
  handoff: [
    'bots',
    'events',
    'hotels',
    'listings',
    'offers',
    'rates',
    'search',
    'sessions',
    'telemetry',
    'upstreams',
  ],
  hotels: ['brands', 'cards', 'derived-responses', 'listings', 'places', 'rates', 'upstreams'],
  limits: [],
  listings: ['places', 'upstreams'],
  map: ['brands', 'derived-responses', 'rates', 'search', 'upstreams'],
  offers: ['derived-responses', 'hotels', 'listings', 'rates', 'upstreams'],
  places: [],
  preferences: ['events', 'sessions', 'telemetry'],
  rates: ['places', 'upstreams'],
  search: [
    'brands',
    'cards',
    'derived-responses',
    'events',
    'facets',
    'places',
    'rates',
    'sessions',
    'telemetry',
    'upstreams',
  ],
  sessions: [],
  suggestions: ['listings', 'places', 'upstreams'],
  telemetry: ['bots', 'events', 'sessions'],
  upstreams: [],
  views: ['cards', 'events', 'sessions', 'telemetry'],
  wishlist: ['cards', 'events', 'listings', 'sessions', 'telemetry'],
}

/** The same for bff-backoffice-service. */
const backofficeFeatures = {
  /** Tokens, proofs, sessions, roles and properties. */
  access: ['events', 'upstreams'],
  /** The ledger of what operators do. */
  activity: ['access', 'devices'],
  alerts: ['access', 'events', 'upstreams'],
  boards: ['access', 'events', 'properties', 'upstreams'],
  dashboard: ['access', 'alerts', 'boards', 'events', 'properties', 'suggestions', 'upstreams'],
  /** Check-in, check-out and charges. */
  desk: ['access', 'events', 'upstreams'],
  devices: ['access', 'events', 'upstreams'],
  events: [],
  /** Platform events: they invalidate caches and reach the streams of devices. */
  feed: ['access', 'alerts', 'boards', 'events', 'locks', 'streams', 'suggestions'],
  housekeeping: ['access', 'events', 'upstreams'],
  /** Offline actions and their verdicts. */
  intents: [
    'access',
    'activity',
    'alerts',
    'desk',
    'devices',
    'events',
    'housekeeping',
    'maintenance',
    'preferences',
    'suggestions',
    'upstreams',
  ],
  /** The audit lake: Parquet files, or BigQuery. */
  lake: [],
  locks: ['access', 'activity', 'events', 'properties', 'upstreams'],
  maintenance: ['access', 'events', 'upstreams'],
  /** What a device keeps for an outage. */
  'offline-pack': ['access', 'boards', 'events', 'locks', 'properties', 'upstreams'],
  preferences: ['access', 'events', 'upstreams'],
  properties: ['upstreams'],
  pruning: [],
  shortcuts: ['access'],
  streams: ['access', 'events'],
  suggestions: ['access', 'events', 'upstreams'],
  sync: ['access', 'devices', 'events', 'upstreams'],
  upstreams: [],
}

/** The same for bff-tenant-booking-service. */
const bookingFeatures = {
  availability: ['properties', 'upstreams'],
  /** What the guest sees of a booking. */
  bookings: [
    'drafts',
    'events',
    'fulfilment',
    'guests',
    'payments',
    'properties',
    'sessions',
    'site',
    'telemetry',
    'upstreams',
  ],
  /** Payment, confirmation and end of a booking. */
  checkout: ['bookings', 'drafts', 'events', 'fulfilment', 'guests', 'holds', 'payments'],
  bootstrap: ['events', 'handoff', 'policies', 'sessions', 'site', 'telemetry', 'upstreams'],
  confirmation: [
    'drafts',
    'events',
    'fulfilment',
    'guests',
    'properties',
    'sessions',
    'site',
    'telemetry',
    'upstreams',
  ],
  drafts: ['events', 'properties', 'quotes', 'sessions', 'site', 'telemetry', 'upstreams'],
  events: [],
  fulfilment: [
    'drafts',
    'events',
    'guests',
    'payments',
    'quotes',
    'sessions',
    'site',
    'telemetry',
    'upstreams',
  ],
  guests: ['drafts', 'events', 'sessions', 'site', 'telemetry'],
  handoff: ['availability', 'events', 'quotes', 'sessions', 'site', 'telemetry', 'upstreams'],
  holds: [
    'bookings',
    'drafts',
    'events',
    'fulfilment',
    'guests',
    'handoff',
    'payments',
    'quotes',
    'sessions',
    'site',
    'telemetry',
    'upstreams',
  ],
  limits: [],
  payments: ['drafts', 'events', 'guests', 'quotes', 'sessions', 'site', 'telemetry', 'upstreams'],
  policies: ['site', 'upstreams'],
  preferences: ['drafts', 'events', 'sessions', 'site', 'telemetry'],
  properties: ['upstreams'],
  pruning: [],
  quotes: ['availability', 'properties', 'upstreams'],
  sessions: ['events', 'site'],
  site: ['upstreams'],
  sweeping: ['checkout', 'drafts', 'fulfilment'],
  telemetry: ['events', 'sessions', 'site'],
  timeline: ['drafts'],
  upstreams: [],
}

function assertAcyclic(features) {
  const visit = (feature, path) => {
    if (path.includes(feature)) throw new Error(`cyclic: ${[...path, feature].join(' → ')}`)
    for (const used of features[feature] ?? []) visit(used, [...path, feature])
  }
  for (const feature of Object.keys(features)) visit(feature, [])
}

/** Besides other features: the files of the composition root that contain types only. */
const SERVICE_TYPES = '(config|measures)\\.ts$'

/** The rules for the features of one service: only those in its table, and no others exist. */
function featureRules(name, folder, features) {
  assertAcyclic(features)
  const source = `^services/${folder}/src`
  const listed = Object.keys(features).join('|')
  const rules = Object.entries(features).map(([feature, used]) => ({
    name: `${name}-feature-${feature}`,
    comment: 'Only the features in the table; never context.ts, other root files or http/.',
    severity: 'error',
    from: { path: `${source}/${feature}/`, pathNot: tests },
    to: {
      path: `${source}/`,
      pathNot: `${source}/((${[feature, ...used].join('|')})/|${SERVICE_TYPES})`,
    },
  }))
  const unlisted = {
    name: `${name}-feature-is-listed`,
    comment: 'A new feature folder needs a row in the table of features.',
    severity: 'error',
    from: { path: `${source}/(?!(${listed}|http)/)[^/]+/`, pathNot: tests },
    to: { path: '.' },
  }
  return [...rules, unlisted]
}

module.exports = {
  forbidden: [
    ...chassisRules,
    ...featureRules('consumer', 'bff-consumer-service', consumerFeatures),
    ...featureRules('booking', 'bff-tenant-booking-service', bookingFeatures),
    ...featureRules('backoffice', 'bff-backoffice-service', backofficeFeatures),
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'chassis-folders-by-their-index',
      comment: 'A folder of the chassis is used through its index.ts only.',
      severity: 'error',
      from: { path: `${chassis}/([^/]+)/`, pathNot: tests },
      to: { path: `${chassis}/[^/]+/.+`, pathNot: `(${chassis}/$1/|/index\\.ts$)` },
    },
    {
      name: 'packages-by-their-name',
      comment: 'Across packages only @melmastoon/… names, never a path into another package.',
      severity: 'error',
      from: { path: '^(packages|services)/([^/]+)/' },
      to: {
        path: '^(packages|services)/',
        pathNot: '^(packages|services)/$2/',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'domain-runs-anywhere',
      comment: 'packages/domain is used in browsers: no Node built-ins, nothing but ulid.',
      severity: 'error',
      from: { path: '^packages/domain/src', pathNot: tests },
      to: { pathNot: '(^packages/domain/src|node_modules/ulid/)' },
    },
    {
      name: 'client-runs-anywhere',
      comment: 'packages/client is used in browsers: the domain and two libraries, nothing else.',
      severity: 'error',
      from: { path: '^packages/client/src', pathNot: tests },
      to: {
        pathNot: '(^packages/(client|domain)/src|node_modules/(openapi-fetch|intl-messageformat)/)',
      },
    },
    {
      name: 'events-know-only-the-domain',
      severity: 'error',
      from: { path: '^packages/events/src', pathNot: tests },
      to: {
        pathNot:
          '(^packages/(events|domain)/src|node_modules/(typebox|ajv|ajv-formats)/|^crypto$|^node:crypto$)',
      },
    },
    {
      name: 'security-does-no-io',
      severity: 'error',
      from: { path: '^packages/security/src', pathNot: tests },
      to: {
        pathNot: '(^packages/(security|domain)/src|^(node:)?(crypto|buffer|net|util)$)',
      },
    },
    {
      name: 'postgres-only-in-db',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: `(${chassis}/db/|${support}|${tests})`,
      },
      to: { path: 'node_modules/pg/' },
    },
    {
      name: 'redis-only-in-redis',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: `(${chassis}/redis/|${support}|${tests})`,
      },
      to: { path: 'node_modules/ioredis/' },
    },
    {
      name: 'fastify-only-in-http',
      comment: 'Features know nothing of Fastify.',
      severity: 'error',
      from: {
        path: '^(packages|services)/',
        pathNot: `(${chassis}/http/|/http/|${tests})`,
      },
      to: { path: 'node_modules/(fastify|@fastify)/' },
    },
    {
      name: 'bff-uses-only-shared-packages',
      comment: 'What the BFF services share knows the chassis and contracts, never a service.',
      severity: 'error',
      from: { path: '^packages/bff/src', pathNot: tests },
      to: {
        path: '^(packages|services)/',
        pathNot:
          '^packages/(bff|chassis|domain|security|events|upstream-contracts|platform-events)/',
      },
    },
    {
      name: 'chassis-knows-no-product',
      comment: 'The chassis is independent of the product: it never imports the BFF package.',
      severity: 'error',
      from: { path: '^packages/(chassis|domain|security|events|client)/' },
      to: { path: '^packages/bff/' },
    },
    {
      name: 'bff-folders-by-their-index',
      comment: 'A folder of the BFF package is used through its index.ts only.',
      severity: 'error',
      from: { path: '^packages/bff/src/([^/]+)/', pathNot: tests },
      to: {
        path: '^packages/bff/src/[^/]+/.+',
        pathNot: '(^packages/bff/src/$1/|/index\\.ts$)',
      },
    },
    {
      name: 'no-service-imports-another',
      comment: 'Tests of a service may import the sandbox.',
      severity: 'error',
      from: { path: '^services/([^/]+)/', pathNot: tests },
      to: { path: '^services/', pathNot: '^services/$1/' },
    },
    {
      name: 'sandbox-modules-by-their-entry',
      comment: 'Modules stand for services: they know each other by module.ts alone.',
      severity: 'error',
      from: { path: `${sandbox}/modules/([^/]+)/`, pathNot: tests },
      to: { path: `${sandbox}/modules/`, pathNot: `${sandbox}/modules/($1/|[^/]+/module\\.ts$)` },
    },
    {
      name: 'sandbox-sql-only-in-its-module',
      comment: 'The SQL files of a module (`<table>-sql.ts`) are used by that module only.',
      severity: 'error',
      from: { path: `${sandbox}/(?!modules/)`, pathNot: tests },
      to: { path: `${sandbox}/modules/[^/]+/[^/]+-sql\\.ts$` },
    },
    {
      name: 'anonymous-traffic-never-reaches-bookings',
      comment: 'Anonymous traffic composes five upstreams and no other (C5).',
      severity: 'error',
      from: { path: '^services/bff-consumer-service/', pathNot: tests },
      to: { path: '^packages/upstream-contracts/src/(inventory|reservation|payment|billing)/' },
    },
    {
      name: 'product-never-imports-the-testkit',
      severity: 'error',
      from: {
        path: '^(packages/(bff|domain|client|events|security|chassis|platform-events|upstream-contracts)|services)/',
        pathNot: tests,
      },
      to: { path: '^packages/(testkit|one-machine)/' },
    },
    {
      name: 'nothing-imports-tools-or-bench',
      severity: 'error',
      from: { path: '^(packages|services)/' },
      to: { path: '^(tools|bench)/' },
    },
    {
      name: 'only-declared-dependencies',
      severity: 'error',
      from: { path: '^(packages|services|tools|bench/src)', pathNot: tests },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
    { name: 'not-to-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^bench/peers|^\\.melmastoon|^packages/client/(dist|\\.build-))' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.mjs', '.js', '.json'],
    },
  },
}
