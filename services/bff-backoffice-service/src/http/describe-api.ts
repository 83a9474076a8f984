import type {
  OpenApiOptions,
  OperationExamples,
  OperationNotes,
  ResponseHeader,
} from '@melmastoon/chassis/http'
import { PUBLIC_OPERATIONS, WITHOUT_TOKEN } from '../access/role-table.ts'
import { EXAMPLES } from './examples/index.ts'
import { INTENT_UNION } from './intent-union.ts'
import { problemMembers } from './problem-members.ts'
import { STEP_UP_UNION } from './routes/step-up.ts'

const description = `What the staff of a hotel works with: boards, alerts, suggestions, room keys and devices that go offline.

- **Signing in** is not part of this API: a device signs in at iam, \`POST /iam/v1/auth/sign-in\`, and gets an access token for 15 minutes
  and a refresh token. On one machine iam is the sandbox (http://127.0.0.1:8090/docs); accounts and a client that signs in are
  in \`docs/staff-accounts.md\`.
- **Access.** Requests have \`Authorization: DPoP <access token>\`, a proof of possession in \`DPoP\` (RFC 9449) and \`X-Device-Id\`, except
  \`POST /auth/refresh\`, which has the proof only, and the messages, which are public. \`DPoP-Nonce\` of any response belongs into the
  next proof; 401 with \`use_dpop_nonce\` asks for it. Proofs are signed with ES256, Ed25519 or RS256. The nonce determines the age of a
  proof, so that \`iat\` is required but may be wrong.
- **Roles and properties.** 403 means that the role does not allow the action. A property or object outside the operator's
  scope does not exist: 404.
- **Idempotency-Key.** Required wherever something is changed: a repeated request returns the stored response with
  \`Idempotent-Replayed: true\`.
- **Problems** are RFC 9457 with a stable \`code\`; each operation lists its codes by status.
`

const note = (tag: string, summary: string, text?: string): OperationNotes => ({
  summary,
  tags: [tag],
  ...(text !== undefined && { description: text }),
})

const PAGES_AND_CHANGES =
  'Read all pages first: `page.nextCursor` is the `cursor` of the next one. Then read changes: `delta.cursor` of the last response is `since` of the next, which returns changed rows and the ids of `removed` ones, all at once, whatever `limit` and `cursor` are. `delta.full` is true if the changes are no longer known: the rows are then the first page. 400 `CURSOR_INVALID`: read the board again without `since` and `cursor`.'

const operations = {
  'staff.activity.list': note(
    'activity',
    'List what operators did',
    'Newest first: your own activities. Managers also get those of their properties, and those without a property (such as rejected requests and second factors) of operators whose devices are in use there. `propertyId` restricts the list to one property and to what is without a property of its operators.',
  ),
  'staff.message.list': note(
    'session',
    'Get the texts of all problems and labels in one language; public and cacheable',
    'By `userMessageKey`. Locales are matched by lookup: `en-US` is `en`, `fa` is `fa-AF`.',
  ),
  'staff.session.get': note('session', 'Get the session: operator, roles and properties'),
  'staff.session.refresh': note(
    'session',
    'Exchange a refresh token for new tokens',
    'The proof is made with the key of the sign-in and has no `ath`. A lost response is repeated with the same refresh token; after 503 the token is kept. 401 `REFRESH_REUSED` ends the session everywhere.',
  ),
  'staff.session.sign-out': note(
    'session',
    'End the session',
    'Access and refresh tokens are rejected from now on. 401 `SESSION.REVOKED` for a repeated request means that it has ended. While iam does not respond, the response is 503 and the session stays open: keep the tokens and repeat the request with the same key.',
  ),
  'staff.mfa.challenge': note(
    'session',
    'Create a challenge for the authenticator of the operator',
    'To be preferred to one-time codes, of which only one is accepted per 30 seconds.',
  ),
  'staff.mfa.step-up': note(
    'session',
    'Confirm one action with a second factor',
    'The attestation is valid for five minutes and one request. A repeated request with the same `Idempotency-Key` needs no new one.',
  ),
  'staff.key.read': note('session', 'Find out what an idempotency key was used for'),
  'staff.dashboard.get': note(
    'boards',
    'Stream the dashboard of a property',
    'The first line is sent before any upstream of a widget has responded; a slow upstream delays its own widget only. While the property service does not respond, `businessDate` is null and the widgets of a day have no data; operators of all properties get 503, because it decides which properties are theirs.',
  ),
  'staff.alert.list': note(
    'inbox',
    'List the alerts of a property for your roles',
    'Newest first, at most 30 seconds old. `state` is the state for you: an alert that a colleague has acknowledged is open until you have.',
  ),
  'staff.alert.acknowledge': note('inbox', 'Acknowledge an alert, for yourself'),
  'staff.suggestion.list': note(
    'inbox',
    'List the AI suggestions that your role decides',
    'Newest first, with provenance. Decisions are shown at once, other changes within 60 seconds.',
  ),
  'staff.suggestion.decide': note(
    'inbox',
    'Accept, reject or modify a suggestion',
    'The first decision is binding. 409 `SUGGESTION_DECIDED` has it in `decision`; `SUGGESTION_CLOSED` has the `state` of the suggestion. What follows from a decision is carried out afterwards and repeated until it succeeds.',
  ),
  'staff.preferences.get': note(
    'preferences',
    'Get your preferences at a property',
    'The entity tag is the version, for `If-Match`.',
  ),
  'staff.preferences.put': note(
    'preferences',
    'Replace your preferences at a property',
    'Another device may have changed them: 409 has the preferences as they are now in `current`.',
  ),
  'staff.shortcuts.get': note(
    'preferences',
    'Get the keyboard shortcuts for your roles',
    'Valid for an hour. After a change of the preferences, ask again with `If-None-Match`.',
  ),
  'staff.device.heartbeat': note(
    'devices',
    'Report that this device is in use',
    'Every 90 seconds, give or take 20 %. A device without a heartbeat for five minutes is offline, and its managers are alerted.',
  ),
  'staff.device.list': note('devices', 'List the devices of a property with their state'),
  'staff.sync.cursor-get': note('devices', 'Get the sync cursor of this device'),
  'staff.sync.cursor-advance': note(
    'devices',
    'Advance the sync cursor of this device',
    '409 has the cursor as it is now in `current`.',
  ),
  'staff.sync.handshake': note(
    'devices',
    'Get a token for the sync service',
    'For this device, the given properties and 15 minutes. The device pulls and pushes at the sync service itself.',
  ),
  'staff.offline.hint': note('devices', 'Report which actions wait on this device'),
  'staff.board.today': note(
    'boards',
    'Count what there is to do today, by board',
    PAGES_AND_CHANGES,
  ),
  'staff.board.arrivals': note('boards', 'List the arrivals of a day', PAGES_AND_CHANGES),
  'staff.board.departures': note('boards', 'List the departures of a day', PAGES_AND_CHANGES),
  'staff.board.in-house': note('boards', 'List the guests in house', PAGES_AND_CHANGES),
  'staff.board.housekeeping': note(
    'boards',
    'List the rooms with condition and occupancy',
    PAGES_AND_CHANGES,
  ),
  'staff.board.maintenance': note(
    'boards',
    'List the work orders that are not done',
    PAGES_AND_CHANGES,
  ),
  'staff.reservation.check-in': note(
    'desk',
    'Check guests in',
    'In the assigned rooms, or in the given ones. A key is issued separately.',
  ),
  'staff.reservation.check-out': note('desk', 'Check guests out'),
  'staff.folio.charge': note(
    'desk',
    'Post a charge to a folio',
    'Over the limit of the operator an attestation for `folio.charge` and the folio is required: 403 `STEP_UP_REQUIRED` names it in `stepUp`.',
  ),
  'staff.task.start': note('housekeeping', 'Start a task: the room is being cleaned'),
  'staff.task.complete': note('housekeeping', 'Complete a task: the room is clean'),
  'staff.task.inspect': note('housekeeping', 'Confirm a completed task after an inspection'),
  'staff.work-order.create': note(
    'maintenance',
    'Create a work order',
    'A room has at most one unresolved order per category.',
  ),
  'staff.work-order.assign': note(
    'maintenance',
    'Assign a work order',
    'Also to someone else; a resolved order is reopened.',
  ),
  'staff.work-order.resolve': note('maintenance', 'Report that the defect is repaired'),
  'staff.work-order.verify': note(
    'maintenance',
    'Confirm the repair',
    'A blocked room returns to service and needs cleaning.',
  ),
  'staff.lock.issue': note(
    'keys',
    'Issue a key for the rooms of a stay',
    'Valid from check-in until 30 minutes after check-out. 201: the lock has responded. 202: not yet; `Location` has the state. Nothing is retried automatically, and a timeout is `unknown`, never a failure, until the vendor was asked. One action per reservation and room at a time. The response has a secret and is not stored: a repeated request reads the key again from the lock service and has `Idempotent-Replayed: true`, and `GET /idempotency/{key}` reports the status null.',
  ),
  'staff.lock.revoke': note(
    'keys',
    'Revoke a key',
    'Requires an attestation for `lock.revoke` and the reservation: 403 `STEP_UP_REQUIRED` names it in `stepUp`, and the lock is not asked. Also accepted while the key is still being issued: no key remains.',
  ),
  'staff.lock.rebind': note(
    'keys',
    'Let a key open other rooms of its stay',
    'The rooms of the reservation by default: after a change of rooms.',
  ),
  'staff.lock.extend': note(
    'keys',
    'Change how long a key is valid',
    'Until 30 minutes after check-out by default: after the stay was extended or shortened.',
  ),
  'staff.lock.action-get': note(
    'keys',
    'Get a lock action with all that was reported about it',
    'The audit of the action: every state with its time and source, also reports that came too late to have an effect.',
  ),
  'staff.stream.open': note(
    'streams',
    'Receive changes as they happen',
    'Server-sent events. `hello` comes first and has an id; after a `Last-Event-ID` that is unknown or too old `gap` precedes it. An event has the name of its channel and contains ids and versions: read the board again with its cursor. `gap` lists the channels to read completely because events are missing. `session` with `renew` asks for a new token, see `POST /sse/renew`. `bye` is the last event: connect again after `retry`, except for the reasons `replaced` and `session_ended`. A device has one stream; a new one replaces it. A comment every 15 seconds shows that the connection works.',
  ),
  'staff.stream.poll': note(
    'streams',
    'Read changes without a stream',
    'For networks that do not let streams through: the same events. Without `after` the response has no events, only the position from which to continue.',
  ),
  'staff.stream.renew': note(
    'streams',
    'Continue the stream of this device with a new token',
    'The stream follows roles and properties of the token of this request. 404: there is no stream of this session; open one.',
  ),
  'staff.offline.submit': note(
    'offline',
    'Submit what was done offline',
    'Each intent gets one verdict, in the order of the request, which never changes: `applied`, `already_done`, `superseded` or `rejected`. Intents on one resource are settled by `seq`. A repeated intent gets its verdict again, with `replayed`, for 35 days. Send `pending` intents again, unchanged, with a new key. An invalid intent is `rejected` with `errors`; nothing is stored for it, so that it can be corrected under its id.',
  ),
  'staff.offline.pack': note(
    'offline',
    'Get what a device needs during an outage',
    'In-house guests, arrivals and departures of three days, rooms with tasks, work orders and keys, as far as the role sees them. Valid for twelve hours; at most 1 MiB: lists that do not fit are named in `omitted`.',
  ),
  'staff.offline.verdict': note('offline', 'Get the verdict on an intent of this device'),
} as const satisfies Record<keyof typeof EXAMPLES, OperationNotes>

function withExamples(): Record<string, OperationNotes> {
  return Object.fromEntries(
    Object.entries<OperationExamples>(EXAMPLES).map(([operation, examples]) => [
      operation,
      { ...operations[operation as keyof typeof EXAMPLES], examples },
    ]),
  )
}

/** Every request has a proof; a refresh token is a credential of its own. */
const security = {
  schemes: {
    accessToken: {
      type: 'http',
      scheme: 'DPoP',
      description: 'The access token of iam, bound to the key of the device (RFC 9449).',
    },
    proof: {
      type: 'apiKey',
      in: 'header',
      name: 'DPoP',
      description: 'A JWT signed with the key of the device, for one request (RFC 9449 §4).',
    },
    device: {
      type: 'apiKey',
      in: 'header',
      name: 'X-Device-Id',
      description: 'The device of the access token.',
    },
  },
  of: (operation: string) => {
    if (PUBLIC_OPERATIONS.has(operation)) return []
    return WITHOUT_TOKEN.has(operation) ? ['proof'] : ['accessToken', 'proof', 'device']
  },
} as const

/** The nonce is sent with every response but those of public operations. */
function commonHeaders(operation: string, status: string): readonly ResponseHeader[] {
  if (!(operation in operations) || PUBLIC_OPERATIONS.has(operation)) return []
  if (status === '401') return ['DPoP-Nonce', 'WWW-Authenticate']
  return status === '202' ? ['DPoP-Nonce', 'Location'] : ['DPoP-Nonce']
}

/** Unions, of which the schemas of the routes do not say enough. */
const SCHEMAS = {
  OfflineIntent: {
    as: INTENT_UNION,
    description: 'A change that was made offline, by `name`',
  },
  StepUpRequest: {
    as: STEP_UP_UNION,
    description: 'The action to confirm and the second factor, by `factor`',
  },
} as const

/** All that `/docs` says in words; the rest is in the schemas of the routes. */
export const apiDescription: OpenApiOptions = {
  title: 'Melmastoon back office',
  version: '1.0.0',
  description,
  servers: [
    { url: '/', description: 'Where this document is' },
    { url: 'http://127.0.0.1:8083', description: 'After npm start' },
  ],
  commonHeaders,
  problemMembers,
  operations: withExamples(),
  security,
  schemas: { schemas: SCHEMAS, terms: {} },
}
