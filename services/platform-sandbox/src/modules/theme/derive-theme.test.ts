import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastErrors } from './check-contrast.ts'
import { contrastRatio } from './contrast.ts'
import { deriveTheme } from './derive-theme.ts'

describe('a theme derived from a hue', () => {
  it('has the required contrast for any hue', () => {
    for (let hue = 0; hue < 360; hue += 1) {
      expect(contrastErrors(deriveTheme({ hue, radiusPx: 8 })), `hue ${hue}`).toEqual([])
    }
    fc.assert(
      fc.property(fc.double({ min: -720, max: 720, noNaN: true }), (hue) => {
        expect(contrastErrors(deriveTheme({ hue, radiusPx: 8 }))).toEqual([])
      }),
    )
  })

  it('has enough contrast for primary text on the surface', () => {
    for (let hue = 0; hue < 360; hue += 5) {
      const { light, dark } = deriveTheme({ hue, radiusPx: 8 })
      for (const { primary, surface } of [light, dark]) {
        expect(contrastRatio(primary, surface)).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it('is deterministic and depends on the hue', () => {
    const red = deriveTheme({ hue: 20, radiusPx: 4 })
    expect(deriveTheme({ hue: 20, radiusPx: 4 })).toEqual(red)
    expect(deriveTheme({ hue: 200, radiusPx: 4 }).light.primary).not.toBe(red.light.primary)
  })
})

describe('the check', () => {
  const tokens = deriveTheme({ hue: 200, radiusPx: 8 })

  it('reports every pair with too little contrast, with its mode', () => {
    const light = { ...tokens.light, onPrimary: tokens.light.primary, border: '#eeeeee' }
    const dark = { ...tokens.dark, muted: tokens.dark.surface }
    expect(contrastErrors({ light, dark }).map(({ pointer }) => pointer)).toEqual([
      '/tokens/light/onPrimary',
      '/tokens/light/border',
      '/tokens/dark/muted',
    ])
  })

  it('never rounds an insufficient ratio up', () => {
    const light = { ...tokens.light, surface: '#ffffff', onSurface: '#777777' }
    const [error] = contrastErrors({ light, dark: tokens.dark })
    expect(error?.detail).toBe('is 4.47:1 on surface, needs 4.5:1')
  })
})
