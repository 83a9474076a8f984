import { createHmac, generateKeyPairSync, hash, randomUUID, sign, verify } from 'node:crypto'
import { type IsoDate, newId } from '@melmastoon/domain'
import { KeyRing, mintHandoff, NO_OFFER, verifyHandoff, verifyProof } from '@melmastoon/security'
import { serveCommands } from '../../harness/serve-commands.ts'

const URL_OF_API = 'https://api.example.test/v1/keys'
const TOKEN = 'an-access-token-of-usual-length-'.repeat(20)
const now = new Date()
const keyRing = KeyRing.parse(
  `k2:active:${randomKey(2)},k1:grace:${randomKey(1)},k3:known:${randomKey(3)}`,
)
const fields = {
  id: newId('bhd'),
  guestSessionId: newId('gms'),
  tenantId: newId('tnt'),
  propertyId: newId('ppt'),
  checkIn: '2030-05-01' as IsoDate,
  checkOut: '2030-05-04' as IsoDate,
  adults: 2,
  children: 1,
  rooms: 1,
  currency: 'AFN',
  locale: 'ps-AF',
  childrenAges: [7],
  campaign: { source: 'newsletter', medium: 'email', name: 'spring 2030' },
  offer: NO_OFFER,
}
const { token } = mintHandoff(fields, keyRing, now)
const audience = { now, tenantId: fields.tenantId }
const payload = Buffer.from(token.split('.')[0] ?? '', 'base64url')
const proof = makeProof()
const proofJkt = verifyProof({ header: proof.text, method: 'GET', url: URL_OF_API, now }).jkt
const proofRequest = {
  header: proof.text,
  method: 'GET',
  url: URL_OF_API,
  accessToken: TOKEN,
  expectedJkt: proofJkt,
  now,
}

const WORK: Readonly<Record<string, () => unknown>> = {
  hmac: () => createHmac('sha256', keyRing.active.key).update(payload).digest(),
  mint: () => mintHandoff(fields, keyRing, now),
  verify: () => verifyHandoff(token, keyRing, audience),
  signature: () => verify('sha256', proof.input, proof.key, proof.signature),
  proof: () => verifyProof(proofRequest),
  id: () => newId('evt'),
  uuid: () => randomUUID(),
}

function measure({ work, count }: { work: string; count: number }) {
  const run = WORK[work]
  if (run === undefined) throw new TypeError(`no work ${work}`)
  for (let i = 0; i < count / 4; i += 1) run()
  const before = process.cpuUsage()
  for (let i = 0; i < count; i += 1) run()
  const { user, system } = process.cpuUsage(before)
  return { cpuUs: (user + system) / count }
}

/** What a peer needs to verify the same proof. */
function describeProof() {
  return { proof: proof.text, url: URL_OF_API, token: TOKEN, jkt: proofJkt }
}

function makeProof() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const header = { typ: 'dpop+jwt', alg: 'ES256', jwk: publicKey.export({ format: 'jwk' }) }
  const claims = {
    jti: newId('req'),
    htm: 'GET',
    htu: URL_OF_API,
    iat: Math.floor(now.getTime() / 1000),
    ath: hash('sha256', TOKEN, 'base64url'),
  }
  const input = Buffer.from(`${part(header)}.${part(claims)}`)
  const signature = sign('sha256', input, { key: privateKey, dsaEncoding: 'ieee-p1363' })
  const key = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  return { input, signature, key, text: `${input.toString()}.${signature.toString('base64url')}` }
}

function randomKey(seed: number): string {
  return Buffer.alloc(32, seed).toString('base64url')
}

serveCommands({ measure, describeProof })
