// The peak of the back office as a k6 profile: the same mix as `npm run bench:peak-300rps`.
// See docs/benchmarks.md for how to run it. k6 provides the global crypto (WebCrypto).
import encoding from 'k6/encoding'
import exec from 'k6/execution'
import http from 'k6/http'
import { Counter, Trend } from 'k6/metrics'

const BASE_URL = __ENV.BASE_URL || 'http://127.0.0.1:8083/bff/backoffice/v1'
const IAM_URL = __ENV.IAM_URL || 'http://127.0.0.1:8090'
/** As the service knows its address (PUBLIC_URLS). */
const EXTERNAL_URL = __ENV.EXTERNAL_URL || BASE_URL
const PASSWORD = __ENV.PASSWORD || 'demo staff only'
const TENANTS = (__ENV.TENANTS || 'gulistan-hotel,creek-pearl,caravan-istanbul,noor-serai').split(
  ',',
)
const SCALE = Number(__ENV.RATE || 300) / 300
const WARM = __ENV.WARM || '2m'
const DURATION = __ENV.DURATION || '10m'

/** Requests per second of each kind: 300 in total. */
const MIX = {
  delta: 110,
  board: 20,
  dashboard: 25,
  heartbeat: 60,
  alerts: 15,
  suggestions: 10,
  session: 5,
  preferences: 5,
  syncCursor: 5,
  syncHandshake: 5,
  charge: 9,
  workOrder: 12,
  changePreferences: 3,
  acknowledge: 3,
  issueKey: 3,
  offlineBatch: 5,
  activity: 5,
}

/** Conflicts that staff see every day: a busy gateway, a closed folio, an order that exists. */
const EXPECTED = {
  charge: [409, 422],
  workOrder: [409, 422],
  changePreferences: [409, 422],
  acknowledge: [404, 409, 422],
  issueKey: [409, 422],
}

function arrivals(name, rate, { startTime, duration }) {
  return {
    executor: 'constant-arrival-rate',
    exec: name,
    rate: Math.max(1, Math.round(rate * SCALE)),
    timeUnit: '1s',
    startTime,
    duration,
    preAllocatedVUs: Math.max(2, Math.ceil(rate / 4)),
    maxVUs: 200,
    tags: { kind: name },
  }
}

function scenarios() {
  const all = {}
  for (const [name, rate] of Object.entries(MIX)) {
    all[`warm_${name}`] = {
      ...arrivals(name, rate, { startTime: '0s', duration: WARM }),
      tags: { phase: 'warm' },
    }
    all[name] = {
      ...arrivals(name, rate, { startTime: WARM, duration: DURATION }),
      tags: { phase: 'steady' },
    }
  }
  return all
}

export const options = {
  scenarios: scenarios(),
  thresholds: {
    'http_req_duration{phase:steady}': ['p(95)<1000'],
    'server_errors{phase:steady}': ['count==0'],
    'unexpected_responses{phase:steady}': ['count==0'],
    // The planned rate was sent: otherwise the latencies are those of the driver.
    dropped_iterations: ['count==0'],
  },
}

const serverErrors = new Counter('server_errors')
const unexpected = new Counter('unexpected_responses')
const rejected = new Counter('rejected_mutations')
const signing = new Trend('proof_signing', true)

const USERNAMES = ['desk', 'housekeeper', 'technician', 'manager', 'desk', 'housekeeping-lead']
const BOARDS = {
  desk: ['/arrivals', '/departures', '/in-house'],
  housekeeper: ['/housekeeping'],
  'housekeeping-lead': ['/housekeeping'],
  technician: ['/maintenance'],
  manager: ['/today', '/arrivals', '/housekeeping'],
}

/** Each VU is one device per user name; it signs in when it first needs it. */
const devices = {}

/** Tokens are ASCII. */
function bytesOf(text) {
  return Uint8Array.from(text, (character) => character.charCodeAt(0)).buffer
}

function encode(value) {
  return encoding.b64encode(JSON.stringify(value), 'rawurl')
}

async function createDevice(username) {
  const keys = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, [
    'sign',
    'verify',
  ])
  const { kty, crv, x, y } = await crypto.subtle.exportKey('jwk', keys.publicKey)
  const device = {
    username,
    tenantSlug: TENANTS[exec.vu.idInTest % TENANTS.length],
    privateKey: keys.privateKey,
    jwk: { kty, crv, x, y },
    nonces: {},
    cursors: {},
    seq: 0,
  }
  await signIn(device)
  return device
}

async function proofOf(device, { method, htu, accessToken }) {
  const startedAt = Date.now()
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu,
    iat: Math.floor(Date.now() / 1000),
  }
  const nonce = device.nonces[accessToken === undefined ? 'iam' : 'backoffice']
  if (nonce !== undefined) claims.nonce = nonce
  if (accessToken !== undefined) {
    const digest = await crypto.subtle.digest('SHA-256', bytesOf(accessToken))
    claims.ath = encoding.b64encode(digest, 'rawurl')
  }
  const head = encode({ alg: 'ES256', typ: 'dpop+jwt', jwk: device.jwk })
  const text = `${head}.${encode(claims)}`
  const algorithm = { name: 'ECDSA', hash: 'SHA-256' }
  const signature = await crypto.subtle.sign(algorithm, device.privateKey, bytesOf(text))
  signing.add(Date.now() - startedAt)
  return `${text}.${encoding.b64encode(signature, 'rawurl')}`
}

async function signIn(device) {
  const url = `${IAM_URL}/iam/v1/auth/sign-in`
  const body = JSON.stringify({
    tenantSlug: device.tenantSlug,
    username: device.username,
    password: PASSWORD,
    device: { name: 'k6', platform: 'linux', appVersion: '1.0.0', publicJwk: device.jwk },
  })
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const headers = {
      'content-type': 'application/json',
      dpop: await proofOf(device, { method: 'POST', htu: url }),
    }
    const response = http.post(url, body, { headers, tags: { name: 'sign-in', phase: 'setup' } })
    device.nonces.iam = response.headers['Dpop-Nonce'] || device.nonces.iam
    if (response.status < 300) {
      device.tokens = response.json()
      device.expiresAt = Date.now() + (device.tokens.expiresIn - 60) * 1000
      const session = await send(device, 'session', get('/session'))
      const { properties } = session.json()
      device.propertyId = properties === '*' ? null : properties[0]
      return
    }
  }
  throw new Error(`${device.username} of ${device.tenantSlug} could not sign in`)
}

async function deviceOf(username) {
  if (devices[username] === undefined) devices[username] = await createDevice(username)
  const device = devices[username]
  if (Date.now() > device.expiresAt) await signIn(device)
  return device
}

/** Once more when the nonce was missing or old. */
async function send(device, kind, { method, path, json, accept = 'application/json' }) {
  const [route] = path.split('?')
  const key = crypto.randomUUID()
  let response
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { accessToken, deviceId } = device.tokens
    const headers = {
      authorization: `DPoP ${accessToken}`,
      dpop: await proofOf(device, { method, htu: `${EXTERNAL_URL}${route}`, accessToken }),
      'x-device-id': deviceId,
      accept,
    }
    if (method !== 'GET') headers['idempotency-key'] = key
    if (json !== undefined) headers['content-type'] = 'application/json'
    const body = json === undefined ? null : JSON.stringify(json)
    response = http.request(method, `${BASE_URL}${path}`, body, { headers, tags: { name: kind } })
    device.nonces.backoffice = response.headers['Dpop-Nonce'] || device.nonces.backoffice
    const challenge = response.headers['Www-Authenticate'] || ''
    if (response.status !== 401 || !challenge.includes('use_dpop_nonce')) break
  }
  count(kind, response)
  return response
}

function count(kind, { status }) {
  if (status === 0 || status >= 500) serverErrors.add(1)
  else if (status >= 300 && (EXPECTED[kind] || []).includes(status)) rejected.add(1)
  else if (status >= 300) unexpected.add(1, { status: String(status), name: kind })
}

function pick(items) {
  return items[Math.floor(Math.random() * items.length)]
}

const get = (path) => ({ method: 'GET', path })
const post = (path, json) => ({ method: 'POST', path, json })
const ofProperty = (path, { propertyId }) => `${path}?propertyId=${propertyId}`

async function readRows(device, path) {
  const response = await send(device, 'lookup', get(ofProperty(path, device)))
  return response.status === 200 ? response.json().rows : []
}

/** The folios and stays of the hotel, read once per device. */
async function staysOf(device) {
  if (device.stays === undefined) device.stays = await readRows(device, '/in-house')
  return device.stays
}

async function openFolio(device) {
  const stays = await staysOf(device)
  return pick(stays.filter((stay) => stay.folioStatus === 'open' && stay.balance !== undefined))
}

export async function delta() {
  const device = await deviceOf(pick(USERNAMES))
  const path = ofProperty(pick(BOARDS[device.username]), device)
  const cursor = device.cursors[path]
  const since = cursor === undefined ? '' : `&since=${encodeURIComponent(cursor)}`
  const response = await send(device, 'delta', get(`${path}${since}`))
  if (response.status === 200) device.cursors[path] = response.json().delta.cursor
}

export async function board() {
  const device = await deviceOf(pick(USERNAMES))
  await send(device, 'board', get(ofProperty(pick(BOARDS[device.username]), device)))
}

export async function dashboard() {
  const device = await deviceOf(pick(USERNAMES))
  const path = ofProperty('/dashboard', device)
  await send(device, 'dashboard', { ...get(path), accept: 'application/x-ndjson' })
}

export async function heartbeat() {
  const device = await deviceOf(pick(USERNAMES))
  const { propertyId, tokens } = device
  const json = { propertyId, appVersion: '1.0.0', appPlatform: 'linux' }
  await send(device, 'heartbeat', post(`/devices/${tokens.deviceId}/heartbeat`, json))
}

export async function alerts() {
  const device = await deviceOf(pick(USERNAMES))
  await send(device, 'alerts', get(ofProperty('/alerts', device)))
}

export async function suggestions() {
  const device = await deviceOf(pick(['desk', 'manager', 'housekeeping-lead']))
  await send(device, 'suggestions', get(ofProperty('/ai/suggestions', device)))
}

export async function session() {
  await send(await deviceOf(pick(USERNAMES)), 'session', get('/session'))
}

export async function preferences() {
  const device = await deviceOf(pick(USERNAMES))
  await send(device, 'preferences', get(ofProperty('/preferences', device)))
}

export async function syncCursor() {
  await send(await deviceOf(pick(USERNAMES)), 'syncCursor', get('/sync/cursor'))
}

export async function syncHandshake() {
  const device = await deviceOf(pick(USERNAMES))
  const json = { propertyIds: [device.propertyId] }
  await send(device, 'syncHandshake', post('/sync/handshake', json))
}

export async function charge() {
  const device = await deviceOf(pick(['desk', 'manager']))
  const stay = await openFolio(device)
  if (stay === undefined) return
  const amount = { amount: 100, currency: stay.balance.currency }
  const json = { amount, category: 'minibar', description: 'Water' }
  await send(device, 'charge', post(`/folios/${stay.folioId}/charges`, json))
}

/** Created, resolved and verified in turn, one order per VU. */
export async function workOrder() {
  const device = await deviceOf('manager')
  if (device.rooms === undefined) device.rooms = await readRows(device, '/housekeeping')
  const { next = 'create', workOrderId } = device.order || {}
  const room = pick(device.rooms)
  const created = {
    propertyId: device.propertyId,
    roomId: room.id,
    category: 'other',
    severity: 'low',
    title: 'A drawer is stuck',
  }
  const path =
    next === 'create'
      ? '/maintenance/work-orders'
      : `/maintenance/work-orders/${workOrderId}/${next}`
  const json = next === 'create' ? created : {}
  const response = await send(device, 'workOrder', post(path, json))
  if (response.status >= 300) {
    device.order = undefined
    return
  }
  const following = { create: 'resolve', resolve: 'verify', verify: 'create' }
  device.order = { next: following[next], workOrderId: response.json().workOrderId }
}

export async function changePreferences() {
  const device = await deviceOf(pick(USERNAMES))
  const { propertyId, preferencesVersion: expectedVersion = 0 } = device
  const json = { propertyId, payload: { density: 'compact' }, expectedVersion }
  const response = await send(device, 'changePreferences', {
    method: 'PUT',
    path: '/preferences',
    json,
  })
  const isDone = response.status === 200
  // Another VU of the same operator may have changed them.
  const current = isDone
    ? response
    : await send(device, 'preferences', get(ofProperty('/preferences', device)))
  if (current.status === 200) device.preferencesVersion = current.json().version
}

export async function acknowledge() {
  const device = await deviceOf(pick(['desk', 'manager']))
  if (device.alerts === undefined) device.alerts = await readRows(device, '/alerts')
  const alert = pick(device.alerts)
  if (alert === undefined) return
  const path = `/alerts/${alert.alertId || alert.id}/acknowledge`
  await send(device, 'acknowledge', post(path, {}))
}

export async function issueKey() {
  const device = await deviceOf(pick(['desk', 'manager']))
  const stay = pick((await staysOf(device)).filter(({ rooms }) => rooms.length > 0))
  if (stay === undefined) return
  await send(device, 'issueKey', post(`/locks/${stay.id}/issue-key`, { additional: true }))
}

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** An id of an offline intent: a ULID with its prefix. */
function intentId() {
  let time = Date.now()
  let text = ''
  for (let at = 0; at < 10; at += 1) {
    text = CROCKFORD[time % 32] + text
    time = Math.floor(time / 32)
  }
  for (let at = 0; at < 16; at += 1) text += CROCKFORD[Math.floor(Math.random() * 32)]
  return `int_${text}`
}

export async function offlineBatch() {
  const device = await deviceOf(pick(['desk', 'manager']))
  const stay = await openFolio(device)
  if (stay === undefined) return
  const now = new Date().toISOString()
  const intents = []
  while (intents.length < 4) {
    device.seq += 1
    intents.push({
      intentId: intentId(),
      seq: device.seq,
      name: 'folio.post_charge',
      resourceId: stay.folioId,
      expect: { currency: stay.balance.currency },
      args: { amount: 100, category: 'minibar', description: 'Water' },
      occurredAt: now,
    })
  }
  const json = { sentAt: now, bootId: `k6-${exec.vu.idInTest}`, intents }
  await send(device, 'offlineBatch', post('/offline-actions', json))
}

export async function activity() {
  await send(await deviceOf(pick(USERNAMES)), 'activity', get('/activity?limit=50'))
}
