import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { contrastErrors } from './check-contrast.ts'
import { contrastRatio } from './contrast.ts'
import { growTheme } from './grow-theme.ts'

describe('a theme grown from a hue', () => {
  it('has the contrast it needs, whole degrees and all between', () => {
    for (let hue = 0; hue < 360; hue += 1) {
      expect(contrastErrors(growTheme({ hue, radiusPx: 8 })), `hue ${hue}`).toEqual([])
    }
    fc.assert(
      fc.property(fc.double({ min: -720, max: 720, noNaN: true }), (hue) => {
        expect(contrastErrors(growTheme({ hue, radiusPx: 8 }))).toEqual([])
      }),
    )
  })

  it('can write its primary colour on its surface too', () => {
    for (let hue = 0; hue < 360; hue += 5) {
      const { light, dark } = growTheme({ hue, radiusPx: 8 })
      for (const { primary, surface } of [light, dark]) {
        expect(contrastRatio(primary, surface)).toBeGreaterThanOrEqual(4.5)
      }
    }
  })

  it('is the same for the same hue, and another for another', () => {
    const red = growTheme({ hue: 20, radiusPx: 4 })
    expect(growTheme({ hue: 20, radiusPx: 4 })).toEqual(red)
    expect(growTheme({ hue: 200, radiusPx: 4 }).light.primary).not.toBe(red.light.primary)
  })
})

describe('the check', () => {
  const tokens = growTheme({ hue: 200, radiusPx: 8 })

  it('names every pair that is too close, in the mode it is in', () => {
    const light = { ...tokens.light, onPrimary: tokens.light.primary, border: '#eeeeee' }
    const dark = { ...tokens.dark, muted: tokens.dark.surface }
    expect(contrastErrors({ light, dark }).map(({ pointer }) => pointer)).toEqual([
      '/tokens/light/onPrimary',
      '/tokens/light/border',
      '/tokens/dark/muted',
    ])
  })

  it('never rounds a miss up to a hit', () => {
    const light = { ...tokens.light, surface: '#ffffff', onSurface: '#777777' }
    const [error] = contrastErrors({ light, dark: tokens.dark })
    expect(error?.detail).toBe('is 4.47:1 on surface, needs 4.5:1')
  })
})
