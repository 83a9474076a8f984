import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { openOfflinePack } from '@melmastoon/client/source'
import { parseId, problem } from '@melmastoon/domain'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Operator, OperatorRole } from '../../src/access/operator.ts'
import type { BoardCache } from '../../src/boards/read-board.ts'
import { composePack } from '../../src/offline-pack/compose-pack.ts'
import { type Staff, signIn } from '../harness/staff.ts'
import { type Backoffice, startWithSandbox } from '../harness/start-backoffice.ts'

interface PackBody {
  readonly pack: string
  readonly expiresAt: string
  readonly publicJwk: { readonly kty: string; readonly crv: string; readonly x: string }
}

let office: Backoffice
let desk: Staff
let propertyId: string
beforeAll(async () => {
  office = await startWithSandbox()
  desk = await signIn(office, 'desk')
  propertyId = await desk.propertyId()
})
afterAll(() => office[Symbol.asyncDispose]())

const fetchPack = async (staff: Staff) => {
  const response = await staff.read<PackBody>(`/offline-pack?propertyId=${propertyId}`)
  const { pack, publicJwk } = response.body
  return { ...response, pack, reader: { publicJwk, jkt: staff.jkt, propertyId, now: new Date() } }
}

function operatorOf({ tokens, jkt }: Staff, role: OperatorRole): Operator {
  const { tenantId, operatorId, deviceId, sessionId } = tokens
  const ids = { tenantId, operatorId, deviceId, sessionId, jkt }
  return { ...ids, isLead: false, roles: [role], properties: '*', tokenExpiresAt: new Date() }
}

interface Guest {
  readonly guest: { readonly fullName: string }
}

/** The names of the guests in the lists of somebody who may see them. */
const guestsIn = (lists: Readonly<Record<string, readonly unknown[]>>) =>
  Object.entries(lists)
    .filter(([name]) => /^(in_house|arrivals|departures)/.test(name))
    .flatMap(([, rows]) => rows as readonly Guest[])
    .map(({ guest }) => guest.fullName)

/** As if all roles shared the entries of the cache of boards. */
function withoutAudience(boards: BoardCache): BoardCache {
  type Dims = Parameters<BoardCache['peek']>[0]
  const same = (dims: Dims): Dims => ({ ...dims, audience: 'all' })
  return Object.assign(Object.create(boards) as BoardCache, {
    peek: (dims: Dims, tags?: readonly string[]) => boards.peek(same(dims), tags),
    get: (request: Parameters<BoardCache['get']>[0]) =>
      boards.get({ ...request, dims: same(request.dims) }),
  })
}

describe('the offline pack', () => {
  // First, while no list is cached.
  it('names the lists that could not be read, and has the others', async () => {
    const { ctx } = office.service
    const listCredentials = () => Promise.reject(problem('MELMASTOON.BFF.UPSTREAM_UNAVAILABLE'))
    const lock = { ...ctx.upstreams.lock, listCredentials }
    const onError = vi.fn<(error: unknown) => void>()
    const operator = operatorOf(desk, 'front_desk')
    using deadline = createDeadline(5_000)
    const { parts, missing } = await composePack(
      { ...ctx, onError, upstreams: { ...ctx.upstreams, lock } },
      { operator, propertyId: parseId('ppt', propertyId) },
      { deadline, trace: newTrace() },
    )
    expect(missing).toEqual(['keys'])
    expect(parts.map(({ name }) => name)).toContain('in_house')
    expect(onError).toHaveBeenCalledTimes(1)
  })

  it('has the lists of the role, and no PIN', async () => {
    const { pack, reader, status, headers } = await fetchPack(desk)
    expect([status, headers.get('cache-control')]).toEqual([200, 'private, no-store'])
    const { lists, businessDate, expiresAt, omitted } = await openOfflinePack(pack, reader)
    expect(omitted).toEqual([])
    expect(Object.keys(lists)).toEqual(
      expect.arrayContaining(['housekeeping', 'in_house', `arrivals:${businessDate}`, 'keys']),
    )
    expect(Object.keys(lists).filter((name) => name.startsWith('departures:'))).toHaveLength(3)
    expect(lists['in_house']?.length).toBeGreaterThan(0)
    expect(lists['keys']?.length).toBeGreaterThan(0)
    expect(JSON.stringify(lists['keys'])).not.toContain('pin"')
    expect(expiresAt.getTime() - Date.now()).toBeGreaterThan(11.9 * 3_600_000)
    expect(pack.length).toBeLessThanOrEqual(1024 * 1024)
  })

  it('is not sent again while it is unchanged', async () => {
    const { headers } = await fetchPack(desk)
    const etag = headers.get('etag') ?? ''
    const path = `/offline-pack?propertyId=${propertyId}`
    const response = await desk.fetch(path, { headers: { 'if-none-match': etag } })
    expect([response.status, await response.text()]).toEqual([304, ''])
    expect(response.headers.get('dpop-nonce')).not.toBe(null)
    expect(response.headers.get('cache-control')).toBe('private, no-store')
  })

  it('STAFF-INT-14 is useless when changed, expired, or on another device', async () => {
    const { pack, reader } = await fetchPack(desk)
    const [header, payload = '', signature] = pack.split('.')
    const text = Buffer.from(payload, 'base64url').toString()
    const changed = Buffer.from(text.replace('"version":1', '"version":2')).toString('base64url')
    expect(changed).not.toBe(payload)
    const forged = [header, changed, signature].join('.')
    await expect(openOfflinePack(forged, reader)).rejects.toThrow('was changed')
    const later = new Date(Date.now() + 12 * 3_600_000 + 1_000)
    await expect(openOfflinePack(pack, { ...reader, now: later })).rejects.toThrow('expired')
    const { jkt } = await signIn(office, 'desk')
    await expect(openOfflinePack(pack, { ...reader, jkt })).rejects.toThrow('another device')
    // The control: the same reader, unchanged, a moment before it expires.
    const now = new Date(Date.now() + 11.9 * 3_600_000)
    expect((await openOfflinePack(pack, { ...reader, now })).propertyId).toBe(propertyId)
  })

  it('STAFF-INT-15 contains neither guests, codes, money nor keys for housekeeping', async () => {
    const { pack, reader } = await fetchPack(desk)
    const guests = guestsIn((await openOfflinePack(pack, reader)).lists)
    expect(guests.length).toBeGreaterThan(0)
    const housekeeper = await signIn(office, 'housekeeper')
    const own = await fetchPack(housekeeper)
    const text = JSON.stringify((await openOfflinePack(own.pack, own.reader)).lists)
    expect(guests.filter((name) => text.includes(name))).toEqual([])
    const hidden = ['guest', 'code', 'folioId', 'balance', 'keyState', 'keyIds']
    expect(hidden.filter((name) => text.includes(`"${name}"`))).toEqual([])
    expect(Object.keys((await openOfflinePack(own.pack, own.reader)).lists)).not.toContain('keys')
  })

  it('STAFF-INT-15 control: in a cache without the audience it contains them', async () => {
    const { ctx } = office.service
    const { pack, reader } = await fetchPack(desk)
    const guests = guestsIn((await openOfflinePack(pack, reader)).lists)
    const deps = { ...ctx, onError: () => undefined, boards: withoutAudience(ctx.boards) }
    const housekeeper = await signIn(office, 'housekeeper')
    const packOf = async (operator: Operator) => {
      using deadline = createDeadline(5_000)
      const request = { operator, propertyId: parseId('ppt', propertyId) }
      return await composePack(deps, request, { deadline, trace: newTrace() })
    }
    await packOf(operatorOf(desk, 'front_desk'))
    const { parts } = await packOf(operatorOf(housekeeper, 'housekeeping'))
    const text = parts.map(({ json }) => json).join()
    expect(guests.filter((name) => text.includes(name))).not.toEqual([])
  })

  it('is not found for a property out of scope', async () => {
    const { status } = await desk.read('/offline-pack?propertyId=ppt_01JGFJJZ00000000000000000A')
    expect(status).toBe(404)
  })
})
