import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Booking, startWithSandbox } from '../harness/start-booking.ts'

let booking: Booking
beforeAll(async () => {
  booking = await startWithSandbox()
})
afterAll(() => booking[Symbol.asyncDispose]())

describe('GET /policies', () => {
  it.each(['path', 'host'] as const)(
    'T2 lists the policies of the hotel, by %s',
    async (address) => {
      const { status, body } = await booking.site.browser(address).get('/policies')
      expect(status).toBe(200)
      const policies = body['policies'] as { kind: string; propertyId: string | null }[]
      expect(new Set(policies.map(({ kind }) => kind))).toEqual(
        new Set(['privacy', 'terms', 'accessibility', 'cancellation']),
      )
      expect(body).toMatchObject({ locale: 'en', degraded: false })
    },
  )

  it('D35 has the requested language, and rejects one that the hotel does not offer', async () => {
    const browser = booking.site.browser()
    const pashto = await browser.get('/policies?locale=ps')
    const english = await browser.get('/policies')
    const german = await browser.get('/policies?locale=de')
    expect(pashto.body['locale']).toBe('ps-AF')
    expect(pashto.text).not.toBe(english.text)
    expect([german.status, german.body['code']]).toEqual([
      422,
      'MELMASTOON.BFF.TENANT.LOCALE_NOT_SUPPORTED',
    ])
  })
})
