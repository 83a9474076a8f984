import { idToUuid, isId, problem, type TenantId, uuidToId } from '@melmastoon/domain'
import type { InputOf, OutputOf } from '@melmastoon/upstream-contracts'
import { type LockOperations, toCredential, toDetail, toRequest } from './credential.ts'
import { selectCredential, selectCredentials, selectVersions } from './credential-sql.ts'
import type { LockHost } from './lock-host.ts'
import { selectGateway } from './lock-property-sql.ts'
import { selectRequest } from './request-sql.ts'
import { VENDORS } from './vendors/vendors.ts'

const LIMIT_DEFAULT = 100
const VERSIONS_MAX = 1_000

type Output<N extends keyof LockOperations> = OutputOf<LockOperations[N]>

export async function getRequest(
  { db }: LockHost,
  tenantId: TenantId,
  { requestId }: InputOf<LockOperations['getRequest']>['params'],
): Promise<Output<'getRequest'>> {
  const tenant = idToUuid(tenantId)
  const [row] = await db.tenantQuery(tenantId, selectRequest(tenant, requestId))
  if (row === undefined || row.is_forgotten) throw problem('MELMASTOON.LOCK.REQUEST_NOT_FOUND')
  const [key] = await db.tenantQuery(tenantId, selectCredential({ tenant, key: row.key_id }))
  if (key === undefined) throw new TypeError('a request without a key')
  return toRequest(row, key)
}

export async function getCredential(
  { db }: LockHost,
  tenantId: TenantId,
  { keyId }: InputOf<LockOperations['getCredential']>['params'],
): Promise<Output<'getCredential'>> {
  const ref = { tenant: idToUuid(tenantId), key: idToUuid(keyId) }
  const [row] = await db.tenantQuery(tenantId, selectCredential(ref))
  if (row === undefined) throw problem('MELMASTOON.LOCK.CREDENTIAL_NOT_FOUND')
  return toDetail(row, await db.tenantQuery(tenantId, selectVersions(ref, VERSIONS_MAX)))
}

export async function listCredentials(
  host: LockHost,
  tenantId: TenantId,
  { params, query }: InputOf<LockOperations['listCredentials']>,
): Promise<Output<'listCredentials'>> {
  await findPlace(host, tenantId, params)
  const { reservationId, roomId, state, cursor, limit = LIMIT_DEFAULT } = query
  const filter = {
    tenant: idToUuid(tenantId),
    property: idToUuid(params.propertyId),
    reservation: reservationId === undefined ? null : idToUuid(reservationId),
    room: roomId === undefined ? null : idToUuid(roomId),
    state: state ?? null,
    before: cursor === undefined ? null : readCursor(cursor),
    rows: limit + 1,
  }
  const rows = await host.db.tenantQuery(tenantId, selectCredentials(filter))
  const page = rows.slice(0, limit)
  const last = page.at(-1)
  const nextCursor = rows.length > limit && last ? uuidToId('key', last.key_id) : null
  return { credentials: page.map(toCredential), nextCursor }
}

export async function getVendor(
  host: LockHost,
  tenantId: TenantId,
  params: InputOf<LockOperations['getVendor']>['params'],
): Promise<Output<'getVendor'>> {
  const { vendor, gateway, changed_seconds } = await findPlace(host, tenantId, params)
  const { kinds, maxDelaySeconds, commandsAtOnce, offlineGateway } = VENDORS[vendor].profile
  const isUnnoticed = offlineGateway === 'late' && changed_seconds < maxDelaySeconds
  return {
    propertyId: params.propertyId,
    vendor,
    kinds: [...kinds],
    maxDelaySeconds,
    commandsAtOnce,
    gateway: isUnnoticed ? 'online' : gateway,
  }
}

async function findPlace(
  { db }: LockHost,
  tenantId: TenantId,
  { propertyId }: InputOf<LockOperations['getVendor']>['params'],
) {
  const ref = { tenant: idToUuid(tenantId), property: idToUuid(propertyId) }
  const [place] = await db.tenantQuery(tenantId, selectGateway(ref))
  if (place === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return place
}

function readCursor(cursor: string): string {
  if (!isId('key', cursor)) throw problem('MELMASTOON.LOCK.CURSOR_INVALID')
  return idToUuid(cursor)
}
