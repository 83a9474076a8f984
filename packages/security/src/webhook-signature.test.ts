import { createHmac } from 'node:crypto'
import type { Problem } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { KeyRing } from './key-ring.ts'
import {
  signWebhook,
  verifyWebhook,
  WEBHOOK_TOLERANCE_MS,
  webhookKeys,
} from './webhook-signature.ts'

const secret = 'what payment webhooks are signed with, in tests'
const keys = webhookKeys(secret)
const signedAt = new Date('2026-04-23T09:14:22.000Z')
const seconds = '1776935662'
const body = '{"id":"whk_01JS000000000000000000000A","type":"payment_intent.captured"}'

/** By `printf '%s' "$t.$body" | openssl dgst -sha256 -hmac "$secret"`. */
const VECTORS = [
  { body, mac: '9e3d478b0b2b673d72b59dbf4a4580485ea99b24b99c211bb06f5d066d481430' },
  { body: '', mac: '8a4950a5dd22130589d7fcbb5a06379e289dbfa525f9470ac34fb39a14b8160b' },
  {
    body: '{"note":"ستړي مه شئ"}',
    mac: 'd57dd9b589dd51722fe92e6f3960f830c2c73a76394b9730b96ac6bf837262c3',
  },
]

const bytesOf = (text: string) => Buffer.from(text.padEnd(32, text)).toString('base64url')
const ringOf = (...entries: string[]) => KeyRing.parse(entries.join(','))
const macUnder = (key: string, text: string) => createHmac('sha256', key).update(text).digest('hex')

function outcomeOf(header: unknown, options: { body?: string; now?: Date; keys?: KeyRing } = {}) {
  try {
    const ring = options.keys ?? keys
    const received = { header, body: options.body ?? body }
    return verifyWebhook(ring, received, options.now ?? signedAt).keyId
  } catch (error) {
    return (error as Problem).code
  }
}

const REJECTED = 'MELMASTOON.PAYMENT.WEBHOOK_REFUSED'
const header = signWebhook(keys, body, signedAt)

describe('webhook signatures', () => {
  it.each(VECTORS)('signs $body as openssl does', ({ body: text, mac }) => {
    expect(signWebhook(keys, text, signedAt)).toBe(`t=${seconds},k=k1,v1=${mac}`)
    expect(outcomeOf(`t=${seconds},v1=${mac}`, { body: text })).toBe('k1')
  })

  it('signs bytes and text in the same way', () => {
    expect(signWebhook(keys, Buffer.from(body), signedAt)).toBe(header)
    expect(verifyWebhook(keys, { header, body: Buffer.from(body) }, signedAt)).toEqual({
      keyId: 'k1',
      signedAt,
    })
  })

  it('rejects a change of any significant character of the header, and of the body', () => {
    const changed = header.split('').map((character, index) => {
      const other = character === '0' ? '1' : '0'
      return header.slice(0, index) + other + header.slice(index + 1)
    })
    // Without its name the key id is an unknown part, and any key of the ring may have signed.
    const mattering = changed.filter((_, index) => index !== header.indexOf('k='))
    expect(new Set(mattering.map((text) => outcomeOf(text)))).toEqual(new Set([REJECTED]))
    expect(outcomeOf(header, { body: `${body} ` })).toBe(REJECTED)
    expect(outcomeOf(header, { body: '' })).toBe(REJECTED)
  })

  it.each([
    ['nothing', undefined],
    ['several lines', [header]],
    ['an empty text', ''],
    ['no time', header.slice(header.indexOf('k='))],
    ['no signature', `t=${seconds}`],
    ['a time twice', `t=${seconds},${header}`],
    ['a key id twice', `${header},k=k1`],
    ['a time with a sign', header.replace('t=', 't=-')],
    ['an upper-case signature', header.toUpperCase()],
    ['a short signature', header.slice(0, -1)],
    ['an older scheme only', header.replace('v1=', 'v0=')],
    ['an unknown key', header.replace('k=k1', 'k=k2')],
    ['five signatures', `t=${seconds}${`,v1=${'0'.repeat(64)}`.repeat(5)}`],
    ['a very long header', header + ',x=1'.repeat(200)],
  ])('rejects %s', (_what, value) => {
    expect(outcomeOf(value)).toBe(REJECTED)
  })

  it('tolerates a clock difference of exactly five minutes', () => {
    const at = (awayMs: number) => outcomeOf(header, { now: new Date(+signedAt + awayMs) })
    expect(at(WEBHOOK_TOLERANCE_MS)).toBe('k1')
    expect(at(-WEBHOOK_TOLERANCE_MS)).toBe('k1')
    expect(at(WEBHOOK_TOLERANCE_MS + 1)).toBe(REJECTED)
    expect(at(-WEBHOOK_TOLERANCE_MS - 1)).toBe(REJECTED)
    expect(at(Number.NaN)).toBe(REJECTED)
  })

  it('accepts known and grace keys during a rotation, and no retired key', () => {
    const [old, next] = [bytesOf('old key '), bytesOf('new key ')]
    const before = ringOf(`a:active:${old}`, `b:known:${next}`)
    const after = ringOf(`a:grace:${old}`, `b:active:${next}`)
    const late = ringOf(`a:retired:${old}`, `b:active:${next}`)
    const signedBefore = signWebhook(before, body, signedAt)
    const signedAfter = signWebhook(after, body, signedAt)
    expect(outcomeOf(signedBefore, { keys: after })).toBe('a')
    expect(outcomeOf(signedAfter, { keys: before })).toBe('b')
    expect(outcomeOf(signedBefore, { keys: late })).toBe(REJECTED)
  })

  it('accepts one valid signature among several, and parts of later versions', () => {
    const right = macUnder(secret, `${seconds}.${body}`)
    const wrong = '0'.repeat(64)
    expect(outcomeOf(`t=${seconds},v1=${wrong},v1=${right},v9=anything`)).toBe('k1')
  })
})
