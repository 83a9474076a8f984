import type { ColorRoles, ThemeTokens } from '@melmastoon/upstream-contracts/theme'
import { SHAPE_RATIO, TEXT_RATIO } from './check-contrast.ts'
import { contrastRatio } from './contrast.ts'
import { type Oklch, toHex } from './oklch.ts'

export interface Brand {
  /** Degrees on the colour wheel; any number. */
  readonly hue: number
  readonly radiusPx: number
}

const DANGER_HUE = 27
/** Far enough around the wheel to be distinct, near enough to match. */
const ACCENT_TURN = 150
const LIGHTNESS_STEP = 0.005

/** Derives a whole theme, light and dark, from one hue; it always has the required contrast. */
export function deriveTheme({ hue, radiusPx }: Brand): ThemeTokens {
  return {
    light: deriveLight(hue),
    dark: deriveDark(hue),
    typography: { latin: 'Inter', arabic: 'Vazirmatn', scaleRatio: 1.2 },
    radiusPx,
    spacingPx: 8,
    motionMs: 160,
  }
}

function deriveLight(hue: number): ColorRoles {
  const surface = toHex({ lightness: 0.99, chroma: 0.004, hueDegrees: hue })
  const darken = (from: Oklch, ratio: number) => departFrom(surface, from, -ratio)
  return withTextOn({
    surface,
    onSurface: darken({ lightness: 0.24, chroma: 0.02, hueDegrees: hue }, TEXT_RATIO),
    muted: darken({ lightness: 0.54, chroma: 0.02, hueDegrees: hue }, TEXT_RATIO),
    border: darken({ lightness: 0.72, chroma: 0.02, hueDegrees: hue }, SHAPE_RATIO),
    primary: darken({ lightness: 0.52, chroma: 0.14, hueDegrees: hue }, TEXT_RATIO),
    accent: darken({ lightness: 0.62, chroma: 0.14, hueDegrees: hue + ACCENT_TURN }, SHAPE_RATIO),
    danger: darken({ lightness: 0.53, chroma: 0.19, hueDegrees: DANGER_HUE }, TEXT_RATIO),
  })
}

function deriveDark(hue: number): ColorRoles {
  const surface = toHex({ lightness: 0.19, chroma: 0.012, hueDegrees: hue })
  const lighten = (from: Oklch, ratio: number) => departFrom(surface, from, ratio)
  return withTextOn({
    surface,
    onSurface: lighten({ lightness: 0.95, chroma: 0.01, hueDegrees: hue }, TEXT_RATIO),
    muted: lighten({ lightness: 0.6, chroma: 0.02, hueDegrees: hue }, TEXT_RATIO),
    border: lighten({ lightness: 0.42, chroma: 0.02, hueDegrees: hue }, SHAPE_RATIO),
    primary: lighten({ lightness: 0.74, chroma: 0.12, hueDegrees: hue }, TEXT_RATIO),
    accent: lighten({ lightness: 0.72, chroma: 0.12, hueDegrees: hue + ACCENT_TURN }, SHAPE_RATIO),
    danger: lighten({ lightness: 0.7, chroma: 0.16, hueDegrees: DANGER_HUE }, TEXT_RATIO),
  })
}

/**
 * The first colour towards white (`ratio` > 0) or black (< 0) with enough contrast. One always
 * exists, because surfaces are nearly white or nearly black.
 */
function departFrom(surface: string, from: Oklch, ratio: number): string {
  const step = Math.sign(ratio) * LIGHTNESS_STEP
  for (let { lightness } = from; lightness > 0 && lightness < 1; lightness += step) {
    const color = toHex({ ...from, lightness })
    if (contrastRatio(color, surface) >= Math.abs(ratio)) return color
  }
  return ratio > 0 ? '#ffffff' : '#000000'
}

type Fills = Omit<ColorRoles, 'onPrimary' | 'onAccent' | 'onDanger'>

function withTextOn(fills: Fills): ColorRoles {
  return {
    ...fills,
    onPrimary: textOn(fills.primary),
    onAccent: textOn(fills.accent),
    onDanger: textOn(fills.danger),
  }
}

/** The two ratios multiply to 21, so where white has less than 4.5, black has more. */
function textOn(fill: string): string {
  return contrastRatio('#ffffff', fill) >= TEXT_RATIO ? '#ffffff' : '#000000'
}
