import { describe, expect, it } from 'vitest'
import {
  DELIVERY_SUFFIXES,
  MAGIC_CARDS,
  MAGIC_NUMBERS,
  MAGIC_PHONES,
  MAGIC_VALUES,
  readCardToken,
  readPhoneRef,
} from './magic-values.ts'

describe('magic values', () => {
  it('lists all magic values', () => {
    const values = MAGIC_VALUES.map(({ value }) => value)
    expect(values).toEqual([
      ...Object.keys(MAGIC_CARDS),
      ...Object.keys(MAGIC_PHONES),
      ...Object.keys(MAGIC_NUMBERS),
      '400.02',
      '400.05',
      ...Object.keys(DELIVERY_SUFFIXES),
    ])
    expect(MAGIC_VALUES.every(({ about }) => about.endsWith('.'))).toBe(true)
  })

  it('reads the webhook delivery from the suffix of any token', () => {
    expect(readCardToken('tok_ok')).toEqual({
      behaviour: MAGIC_CARDS.tok_ok,
      webhookDelivery: null,
    })
    for (const [suffix, webhookDelivery] of Object.entries(DELIVERY_SUFFIXES)) {
      expect(readCardToken(`tok_3ds${suffix}`)?.webhookDelivery).toBe(webhookDelivery)
      expect(readPhoneRef(`phone_ok${suffix}`)?.behaviour).toBe(MAGIC_PHONES.phone_ok)
    }
    expect(readCardToken('tok_timeout')?.webhookDelivery).toBe('lost')
    expect(readCardToken('tok_timeout_webhook_twice')?.webhookDelivery).toBe('twice')
  })

  it.each(['tok_unknown', '_webhook_late', 'tok_ok_webhook_never', 'toString', '__proto__', ''])(
    'does not recognise %j',
    (value) => {
      expect(readCardToken(value)).toBeUndefined()
      expect(readPhoneRef(value)).toBeUndefined()
    },
  )
})
