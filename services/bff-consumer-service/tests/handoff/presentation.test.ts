import { idToUuid, newId, type TenantId } from '@melmastoon/domain'
import { KeyRing } from '@melmastoon/security'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  bookingService,
  mintForNewGuest,
  RING,
  secretOf,
  stayRequest,
  type Target,
} from '../harness/handoff-client.ts'
import { type Fixture, post, startConsumer, startFixture } from '../harness/start-consumer.ts'

let fixture: Fixture
let url: string
let booking: ReturnType<typeof bookingService>

beforeAll(async () => {
  fixture = await startFixture()
  url = fixture.service.url
  booking = bookingService(fixture.service.internalUrl)
})
afterAll(() => fixture[Symbol.asyncDispose]())

const at = (index: number): Target => {
  const hotel = fixture.upstreams.hotels[index]
  if (hotel === undefined) throw new Error('unknown hotel')
  return hotel
}
const INVALID = [401, 'MELMASTOON.BFF.CONSUMER.HANDOFF_SIGNATURE_INVALID']

async function isUsed(handoffId: string): Promise<boolean | undefined> {
  const [row] = await fixture.environment.query<{
    consumed: boolean
  }>(`select consumed from bff_consumer.handoff_replay_log
      where handoff_id = '${idToUuid(handoffId as TenantId)}'`)
  return row?.consumed
}

describe('a minted link', () => {
  it('is accepted in no other spelling, and other spellings leave it unused (SEC-H04)', async () => {
    const { token, handoffId } = await mintForNewGuest(url, at(0))
    const [payload = '', mac = ''] = token.split('.')
    const lines = Buffer.from(payload, 'base64url').toString('latin1')
    const respelled = [
      `${token}=`,
      `${payload}=.${mac}`,
      `${payload}!.${mac}`,
      ` ${token}`,
      `${token}\n`,
      token.replace('.', '%2E'),
      `${payload}.${Buffer.from(mac, 'base64url').toString('base64')}`,
      `${Buffer.from(lines.replace('hmac-2026-04', 'HMAC-2026-04')).toString('base64url')}.${mac}`,
      `${Buffer.from(lines.toUpperCase()).toString('base64url')}.${mac}`,
      `${payload}.${nextSpelling(mac)}`,
    ]
    for (const spelling of respelled) {
      const { status, code } = await booking.present(spelling, at(0).tenantId)
      expect([spelling, status, code]).toEqual([spelling, ...INVALID])
    }
    expect(await isUsed(handoffId)).toBe(false)
    expect((await booking.present(token, at(0).tenantId)).status).toBe(200)
  })

  it('is not accepted for another tenant, as our own token or as a session (SEC-H05)', async () => {
    const { token, handoffId } = await mintForNewGuest(url, at(0))
    const elsewhere = await booking.present(token, at(1).tenantId)
    expect([elsewhere.status, elsewhere.code]).toEqual(INVALID)
    const { tenantId, propertyId } = at(0)
    const asSession = await post(url, `/handoff/${tenantId}/${propertyId}`, {
      json: stayRequest(),
      headers: { cookie: `__Host-gms_id=${token}`, 'idempotency-key': newId('req') },
    })
    expect([asSession.status, asSession.body['code']]).toEqual([
      401,
      'MELMASTOON.SESSION.COOKIE_INVALID',
    ])
    const asService = await booking.consume(
      handoffId,
      { tenantId, arrivalId: newId('bha'), consumedByBffInstance: 'x' },
      { authorization: `Bearer ${token}`, 'x-calling-service': 'bff-tenant-booking-service' },
    )
    expect(asService.status).toBe(401)
    expect(await isUsed(handoffId)).toBe(false)
  })

  it('is rejected a minute after its expiry, by the clock of the verifier (SEC-H06)', async () => {
    const { token, response, handoffId } = await mintForNewGuest(url, at(0))
    const endMs = Date.parse(String(response.body['expiresAt']))
    const late = await booking.present(token, at(0).tenantId, { now: new Date(endMs + 60_001) })
    expect([late.status, late.code]).toEqual([410, 'MELMASTOON.BFF.CONSUMER.HANDOFF_EXPIRED'])
    expect(await isUsed(handoffId)).toBe(false)
    const justInTime = await booking.present(token, at(0).tenantId, {
      now: new Date(endMs + 60_000),
    })
    expect(justInTime.status).toBe(200)
  })
})

describe('key rotation under load (SEC-H07)', () => {
  const OLD = `hmac-2026-04:active:${secretOf('handoff')}`
  const keys = (state: string, next: string) =>
    `hmac-2026-04:${state}:${secretOf('handoff')},hmac-2026-05:${next}:${secretOf('next')}`
  const LEARNED = keys('active', 'known')
  const ROTATED = keys('grace', 'active')
  const DONE = keys('retired', 'active')

  /** Two instances of both services, so that every step is rolled out one instance at a time. */
  async function rotate(steps: readonly (readonly [minters: string[], verifiers: string[]])[]) {
    const verdicts: (readonly [step: number, status: number])[] = []
    let carried: string[] = []
    for (const [step, [minters, verifiers]] of steps.entries()) {
      const services = await Promise.all(minters.map((HANDOFF_KEYS) => startWith(HANDOFF_KEYS)))
      const rings = verifiers.map((text) => KeyRing.parse(text))
      const minted = (await Promise.all(services.map((service) => mintSome(service.url)))).flat()
      const shown = [...carried, ...minted].flatMap((token, n) => {
        const ring = rings[n % rings.length] ?? RING
        return booking.present(token, at(0).tenantId, { ring })
      })
      for (const { status } of await Promise.all(shown)) verdicts.push([step, status])
      // Slow guests: minted in this step, presented in the next.
      carried = (await Promise.all(services.map((service) => mintSome(service.url)))).flat()
      await Promise.all(services.map((service) => service[Symbol.asyncDispose]()))
    }
    return verdicts
  }

  const startWith = (HANDOFF_KEYS: string) =>
    startConsumer({ env: { ...fixture.environment.env, HANDOFF_KEYS } })
  const mintSome = (where: string) =>
    Promise.all(Array.from({ length: 5 }, async () => (await mintForNewGuest(where, at(0))).token))

  it('rejects no valid link when the verifier gets a key before the minter uses it', async () => {
    const verdicts = await rotate([
      [
        [OLD, OLD],
        [OLD, LEARNED],
      ],
      [
        [OLD, ROTATED],
        [LEARNED, LEARNED],
      ],
      [
        [ROTATED, ROTATED],
        [LEARNED, ROTATED],
      ],
    ])
    expect(verdicts.filter(([, status]) => status !== 200)).toEqual([])
    expect(verdicts.length).toBeGreaterThan(40)
  })

  it('control: rejects valid links when the minter is first or the old key is removed too early', async () => {
    const minterFirst = await rotate([[[ROTATED], [OLD]]])
    expect(new Set(minterFirst.map(([, status]) => status))).toEqual(new Set([401]))
    const tooEarly = await rotate([
      [[OLD], [LEARNED]],
      [[ROTATED], [DONE]],
    ])
    const rejected = tooEarly.filter(([, status]) => status === 401)
    expect(rejected).toHaveLength(5)
  })
})

/** 43 characters encode 258 bits, so most decoders accept four spellings of the last one. */
function nextSpelling(mac: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return mac.slice(0, -1) + alphabet[alphabet.indexOf(mac.at(-1) ?? 'A') + 1]
}
