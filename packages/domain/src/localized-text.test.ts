import { describe, expect, it } from 'vitest'
import { pickLocalizedText, textFor } from './localized-text.ts'

const name = { default: 'Kabul', localized: { fa: 'کابل', 'ps-AF': 'کابل ښار' } }

describe('a localized text', () => {
  it('prefers the locale, then its language, then the default', () => {
    expect(textFor(name, 'ps-AF')).toBe('کابل ښار')
    expect(textFor(name, 'fa-AF')).toBe('کابل')
    expect(textFor(name, 'en')).toBe('Kabul')
    expect(textFor({ default: 'Kabul' }, 'fa-AF')).toBe('Kabul')
  })

  it('is copied without undeclared members', () => {
    expect(pickLocalizedText({ ...name, internal: 1 } as typeof name)).toEqual(name)
    expect(pickLocalizedText({ default: 'x' })).toEqual({ default: 'x' })
  })
})
