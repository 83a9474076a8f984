import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Queryable } from '@melmastoon/chassis/db'
import type { Jwks } from '@melmastoon/upstream-contracts/iam'
import type { IamHost } from './iam.ts'
import {
  insertKey,
  type NewSigningKey,
  type PrivateJwk,
  retireActiveKey,
  type SigningKeyRow,
  selectActiveKey,
  selectPublishedKeys,
} from './signing-key-sql.ts'

type KeyHost = Pick<IamHost, 'config' | 'db' | 'clock'>

/** Longer than a token signed just before the rotation is valid. */
const RETIRED_MARGIN_MS = 60_000

export async function readJwks(host: KeyHost): Promise<Jwks> {
  await activeKey(host)
  const keptMs = host.config.accessTokenSeconds * 1_000 + RETIRED_MARGIN_MS
  const retiredAfter = new Date(host.clock.nowMs() - keptMs)
  const rows = await host.db.query(selectPublishedKeys(retiredAfter))
  return { keys: rows.map(toPublicJwk) }
}

/** The first call creates it. Read every time: another process may have rotated it. */
export async function activeKey({ db, clock }: KeyHost): Promise<SigningKeyRow> {
  const [row] = await db.query(selectActiveKey())
  if (row !== undefined) return row
  const key = newKey(clock.now())
  const [created] = await db.query(insertKey(key))
  const [current] = created === undefined ? await db.query(selectActiveKey()) : [created]
  if (current === undefined) throw new TypeError('there is no signing key')
  return current
}

/** Tokens of the previous key stay valid until they expire. */
export async function rotateKeys({ db, clock }: KeyHost): Promise<{ kid: string }> {
  const now = clock.now()
  return await db.transaction(async (tx) => {
    await tx.query(retireActiveKey(now))
    return await create(tx, newKey(now))
  })
}

async function create(tx: Queryable, key: NewSigningKey): Promise<{ kid: string }> {
  const [row] = await tx.query(insertKey(key))
  // A concurrent rotation was first, and its key is as new as ours would be.
  const [current] = row === undefined ? await tx.query(selectActiveKey()) : [row]
  if (current === undefined) throw new TypeError('there is no signing key')
  return { kid: current.kid }
}

function newKey(now: Date): NewSigningKey {
  const { privateKey } = generateKeyPairSync('ed25519')
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' })
  const private_jwk: PrivateJwk = { kty: 'OKP', crv: 'Ed25519', x, d }
  return { kid: randomUUID(), private_jwk, now }
}

function toPublicJwk({ kid, private_jwk: { kty, crv, x } }: SigningKeyRow): Jwks['keys'][number] {
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' }
}
