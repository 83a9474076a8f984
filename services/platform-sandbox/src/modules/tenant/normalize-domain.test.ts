import { describe, expect, it } from 'vitest'
import { normalizeDomain } from './normalize-domain.ts'

describe('a domain', () => {
  it.each([
    ['booking.Kabul-Serena.AF', 'booking.kabul-serena.af'],
    ['کابل.example', 'xn--mgbc8fxs.example'],
    ['XN--MGBC8FXS.example', 'xn--mgbc8fxs.example'],
    ['bücher.example.', 'xn--bcher-kva.example'],
    ['ｂooking。example.com', 'booking.example.com'],
  ])('%s is normalized to %s', (given, expected) => {
    expect(normalizeDomain(given)).toBe(expected)
  })

  it.each([
    'localhost',
    '127.0.0.1',
    '1.2',
    '0x7f.1',
    '[::1]',
    'user@example.com',
    'example.com:8080',
    'example.com/path',
    'example.com?x',
    'exa mple.com',
    'a%2e.example.com',
    'example..com',
    '.example.com',
    '-a.example.com',
    'a_b.example.com',
    '',
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(80)}example.com`,
  ])('%j is not a domain', (given) => {
    expect(normalizeDomain(given)).toBeNull()
  })
})
