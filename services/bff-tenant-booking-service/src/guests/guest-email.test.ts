import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeEmail } from './guest-email.ts'

describe('T7 e-mail addresses', () => {
  it.each([
    ['Zarghuna.Ana@Example.COM', 'Zarghuna.Ana@example.com'],
    [' zarghuna+kabul@mail.example.co.uk ', 'zarghuna+kabul@mail.example.co.uk'],
    ["o'brien_99@example.org", "o'brien_99@example.org"],
    ['info@müller.de', 'info@xn--mller-kva.de'],
    ['info@مثال.ایران', 'info@xn--mgbh0fb.xn--mgba3a4f16a'],
    ['info@例え。テスト', 'info@xn--r8jz45g.xn--zckzah'],
    ['\u202azarghuna@example.com\u202c', 'zarghuna@example.com'],
  ])('accepts %s', (text, value) => {
    expect(normalizeEmail(text)).toEqual({ value })
  })

  it.each([
    ['', 'required'],
    ['zarghuna', 'email'],
    ['@example.com', 'email'],
    ['a@b@example.com', 'email'],
    ['.a@example.com', 'email'],
    ['a..b@example.com', 'email'],
    ['a b@example.com', 'email'],
    ['"a b"@example.com', 'email'],
    ['a<b>@example.com', 'email'],
    ['a\r\nBcc: x@example.com', 'email'],
    [`${'a'.repeat(65)}@example.com`, 'email'],
    ['a@localhost', 'email_domain'],
    ['a@', 'email_domain'],
    ['a@example..com', 'email_domain'],
    ['a@-example.com', 'email_domain'],
    ['a@example.com.', 'email_domain'],
    ['a@127.0.0.1', 'email_domain'],
    ['a@127.1', 'email_domain'],
    ['a@[127.0.0.1]', 'email_domain'],
    ['a@ex%41mple.com', 'email_domain'],
    ['a@exam_ple.com', 'email_domain'],
    ['a@example.com\u0000', 'email_domain'],
    [`a@${'b'.repeat(64)}.com`, 'email_domain'],
    [`${'a'.repeat(60)}@${`${'b'.repeat(60)}.`.repeat(4)}com`, 'too_long'],
  ])('rejects %j', (text, error) => {
    expect(normalizeEmail(text)).toEqual({ error })
  })

  it('accepts every common address, and its own result unchanged', () => {
    fc.assert(
      fc.property(fc.emailAddress({ size: 'small' }), (email) => {
        const result = normalizeEmail(email)
        expect(result).toEqual({ value: expect.stringContaining('@') })
        expect(normalizeEmail('value' in result ? result.value : '')).toEqual(result)
      }),
    )
  })
})
