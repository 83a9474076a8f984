import { newId } from '@melmastoon/domain'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  codeOf,
  fields,
  INVALID,
  lines,
  rejectionText,
  signLines,
  token,
  withLine,
} from './test-handoff.ts'

describe('SEC-H01 flipped bits', () => {
  it('SEC-H01 rejects each bit of each segment flipped, always with the same response', () => {
    const messages = new Set<string>()
    const [payload = '', mac = ''] = token.split('.')
    const segments = [Buffer.from(payload, 'base64url'), Buffer.from(mac, 'base64url')]
    for (const [place, segment] of segments.entries()) {
      for (let bit = 0; bit < segment.length * 8; bit += 1) {
        const flipped = segments.map((bytes) => Buffer.from(bytes))
        const target = flipped[place]
        if (target !== undefined) target[bit >> 3] = (target[bit >> 3] ?? 0) ^ (1 << (bit & 7))
        const forged = flipped.map((bytes) => bytes.toString('base64url')).join('.')
        messages.add(rejectionText(forged))
      }
    }
    expect([...messages]).toEqual([rejectionText('garbage')])
  })

  it('SEC-H01 never accepts a mutated token', () => {
    const mutation = fc.record({
      at: fc.nat({ max: token.length - 1 }),
      remove: fc.nat({ max: 3 }),
      insert: fc.string({ unit: 'grapheme-ascii', maxLength: 3 }),
    })
    fc.assert(
      fc.property(mutation, ({ at, remove, insert }) => {
        const mutated = token.slice(0, at) + insert + token.slice(at + remove)
        expect(codeOf(mutated)).toBe(mutated === token ? 'accepted' : INVALID)
      }),
      { numRuns: 500 },
    )
  })
})

describe('SEC-H02 signed but wrong payloads', () => {
  it('SEC-H02 rejects any line removed, repeated, added or moved', () => {
    for (const [index, line] of lines.entries()) {
      expect(codeOf(signLines(lines.toSpliced(index, 1)))).toBe(INVALID)
      expect(codeOf(signLines(lines.toSpliced(index, 0, line)))).toBe(INVALID)
    }
    expect(codeOf(signLines([...lines, '']))).toBe(INVALID)
    expect(codeOf(signLines(lines.toReversed()))).toBe(INVALID)
    expect(codeOf(signLines([lines.join('\r\n')]))).toBe(INVALID)
    expect(codeOf(signLines(['{"__proto__":{"x":1}}']))).toBe(INVALID)
    expect(codeOf(signLines(['']))).toBe(INVALID)
  })

  it.each<[number, string[]]>([
    [0, ['', 'v0', 'V3', 'v3 ', 'v33', 'v1', 'v2', '__proto__']],
    [1, ['', newId('gms'), fields.id.toLowerCase(), `${fields.id}0`]],
    [2, ['', newId('bhd')]],
    [3, ['', newId('tnt'), newId('tnt_session')]],
    [4, ['', 'ppt_x']],
    [5, ['', '2026-02-30', '2026-05-22', '20260520']],
    [6, ['', '2026-05-20', '2026-05-19']],
    [7, ['', '0', '-1', '02', '100', '1.5', '1e1', ' 2']],
    [8, ['', '-1', '00', '100', '1', '3']],
    [9, ['', '0', '+1']],
    [10, ['', 'afn', 'AFNX', 'AF']],
    [11, ['', 'PS-af', 'ps_AF', 'p', 'ps-AF-x']],
    [12, ['', '2026-04-23T09:14:00Z', '2026-04-23T09:14:00.001Z', '2026-02-30T09:14:00.000Z']],
    [13, ['', '2026-04-23T09:44:00Z', '2026-04-23T10:44:00.000Z']],
    [14, ['', 'hmac-2026-05', 'HMAC-2026-04']],
    [15, ['0%2c17', '0,17', '0', '0%2C18', '0%2C17%2C3', '%2C', '00%2C1', '-1%2C2']],
    [
      16,
      [
        'a b',
        '%',
        '%zz',
        '%67oogle',
        '%c3%a9',
        '%00',
        '%0A',
        '%E2%80%A8',
        '%ED%A0%80',
        'é',
        'x'.repeat(201),
      ],
    ],
    [17, ['a\tb', '%E2%80%AE']],
    [18, ['%7', '%7F']],
    [19, ['rmt_x', newId('rate'), ' ', newId('rmt').toLowerCase()]],
    [20, ['BAR', newId('rmt'), `${newId('rate')}0`]],
    [21, ['sha256:', 'ab'.repeat(32), `sha256:${'AB'.repeat(32)}`, `sha256:${'a'.repeat(65)}`]],
    [22, ['', '-1', '01', '1.5', '1e3', ' 1', '1'.repeat(16)]],
    [23, ['', 'afn', 'AF', 'AFNX', 'AFN ']],
  ])('SEC-H02 rejects line %d with a wrong value although signed', (index, values) => {
    for (const value of values) {
      expect([value, codeOf(signLines(withLine(index, value)))]).toEqual([value, INVALID])
    }
  })
})

describe('SEC-H04 malleations of the text', () => {
  const [payload = '', mac = ''] = token.split('.')
  const lastUp = (text: string, by: number) => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    return text.slice(0, -1) + (alphabet[alphabet.indexOf(text.at(-1) ?? 'A') + by] ?? '-')
  }

  it.each([
    ['last character of the MAC +1', `${payload}.${lastUp(mac, 1)}`],
    ['last character of the MAC +2', `${payload}.${lastUp(mac, 2)}`],
    ['last character of the MAC +3', `${payload}.${lastUp(mac, 3)}`],
    ['last character of the payload +1', `${lastUp(payload, 1)}.${mac}`],
    ['padding', `${token}=`],
    ['padding in the middle', `${payload}=.${mac}`],
    ['an exclamation mark', `${payload}!.${mac}`],
    ['a space in front', ` ${token}`],
    ['a space behind', `${token} `],
    ['a line break', `${token}\n`],
    ['standard alphabet', `${payload}.${Buffer.from(mac, 'base64url').toString('base64')}`],
    ['percent-encoding', token.replace('.', '%2E')],
    ['two dots', token.replace('.', '..')],
    ['a third part', `${token}.${mac}`],
    ['no payload', `.${mac}`],
    ['no MAC', `${payload}.`],
    ['half a MAC', `${payload}.${mac.slice(0, 22)}`],
    ['an empty text', ''],
    ['a huge text', `${'A'.repeat(1_000_000)}.${mac}`],
  ])('SEC-H04 rejects %s', (_what, forged) => {
    expect(codeOf(forged)).toBe(INVALID)
  })

  it.each([undefined, null, 7, {}, [token]])('SEC-H04 rejects the value %j', (value) => {
    expect(codeOf(value as unknown as string)).toBe(INVALID)
  })
})
