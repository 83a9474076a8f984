import { KeyedHash, KeyRing } from '@melmastoon/security'
import { describe, expect, it } from 'vitest'
import { type NewGuest, type NewSessionSettings, newGuestSession } from './new-guest-session.ts'

const NOW = new Date('2026-03-21T09:00:00.000Z')
const pepper = (text: string) => Buffer.alloc(32, text).toString('base64url')
const settingsWith = (
  text: string,
  telemetryConsent: 'opt-out' | 'opt-in' = 'opt-out',
): NewSessionSettings => ({
  hashes: new KeyedHash(KeyRing.parse(`p1:active:${pepper(text)}`)),
  config: { telemetryConsent },
})

const CLIENT = {
  address: '203.0.113.9',
  userAgent: 'Mozilla/5.0 (Android 14; Mobile)',
  acceptLanguage: 'ps-AF, en;q=0.5',
  currency: undefined,
  country: undefined,
  campaign: { source: undefined, medium: undefined, campaign: undefined },
  declinesTelemetry: false,
}

const NEW_GUEST: NewGuest = {
  client: CLIENT,
  locale: 'ps-AF',
  currency: 'AFN',
  device: { screen: '390x844', timeZone: 'Asia/Kabul' },
}

const fingerprintOf = (over: Partial<NewGuest>, settings = settingsWith('a')) =>
  newGuestSession({ ...NEW_GUEST, ...over }, settings, NOW).cookieFingerprintHash

describe('C1 the fingerprint of a device', () => {
  it('is the same for the same device, whatever its address and preferences', () => {
    const elsewhere = { ...CLIENT, address: '198.51.100.1', currency: 'USD', country: 'DE' }
    expect(fingerprintOf({ client: elsewhere, currency: 'USD', locale: 'en' })).toBe(
      fingerprintOf({}),
    )
  })

  it.each([
    ['browser', { client: { ...CLIENT, userAgent: 'curl/8' } }],
    ['languages', { client: { ...CLIENT, acceptLanguage: 'en' } }],
    ['no languages', { client: { ...CLIENT, acceptLanguage: undefined } }],
    ['screen', { device: { screen: '391x844', timeZone: 'Asia/Kabul' } }],
    ['time zone', { device: { screen: '390x844', timeZone: 'Asia/Karachi' } }],
    ['nothing of the device', { device: undefined }],
    ['values at other places', { device: { screen: 'Asia/Kabul', timeZone: '390x844' } }],
  ])('differs with another %s', (_what, over) => {
    expect(fingerprintOf(over)).not.toBe(fingerprintOf({}))
  })

  it('depends on the pepper of the environment', () => {
    expect(fingerprintOf({})).toMatch(/^sha256:[0-9a-f]{64}$/)
    expect(fingerprintOf({}, settingsWith('b'))).not.toBe(fingerprintOf({}))
  })
})

describe('C1 a new session', () => {
  it('stores nothing of the origin of a guest except the campaign', () => {
    const campaign = { source: 'radio', medium: undefined, campaign: 'nowruz' }
    const client = { ...CLIENT, campaign, country: 'PK' }
    const session = newGuestSession({ ...NEW_GUEST, client }, settingsWith('a'), NOW)
    const capturedAt = NOW.toISOString()
    expect(session.campaignAttribution).toEqual({
      source: 'radio',
      campaign: 'nowruz',
      capturedAt,
    })
    expect(JSON.stringify(session)).not.toMatch(/203\.0|Mozilla|390x844|Asia|PK/)
  })

  it.each([
    [false, undefined, true, false],
    [false, { telemetry: false, marketing: true }, false, true],
    [true, { telemetry: true }, false, false],
    [true, undefined, false, false],
  ])('D13 declined %s, said %j: telemetry %s, marketing %s', (declines, consent, ...expected) => {
    const client = { ...CLIENT, declinesTelemetry: declines }
    const { flags } = newGuestSession({ ...NEW_GUEST, client, consent }, settingsWith('a'), NOW)
    expect([flags.consentTelemetry, flags.consentMarketing]).toEqual(expected)
  })

  it.each([
    [false, undefined, false],
    [false, { marketing: true }, false],
    [false, { telemetry: true }, true],
    [true, { telemetry: true }, false],
  ])('D34 where consent is opt-in: declined %s, said %j: telemetry %s', (declines, consent, on) => {
    const client = { ...CLIENT, declinesTelemetry: declines }
    const settings = settingsWith('a', 'opt-in')
    const { flags } = newGuestSession({ ...NEW_GUEST, client, consent }, settings, NOW)
    expect(flags.consentTelemetry).toBe(on)
  })
})
