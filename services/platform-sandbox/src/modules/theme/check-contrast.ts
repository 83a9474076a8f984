import { type FieldError, problem } from '@melmastoon/domain'
import type { ColorRoles, ThemeTokens } from '@melmastoon/upstream-contracts/theme'
import { contrastRatio } from './contrast.ts'

export type ColorRole = keyof ColorRoles

/** WCAG 2.2 §1.4.3 for text, §1.4.11 for non-text elements. */
export const TEXT_RATIO = 4.5
export const SHAPE_RATIO = 3

interface Pair {
  readonly front: ColorRole
  readonly back: ColorRole
  readonly ratio: number
}

const PAIRS: readonly Pair[] = [
  { front: 'onPrimary', back: 'primary', ratio: TEXT_RATIO },
  { front: 'onSurface', back: 'surface', ratio: TEXT_RATIO },
  { front: 'muted', back: 'surface', ratio: TEXT_RATIO },
  { front: 'onAccent', back: 'accent', ratio: TEXT_RATIO },
  { front: 'onDanger', back: 'danger', ratio: TEXT_RATIO },
  { front: 'accent', back: 'surface', ratio: SHAPE_RATIO },
  { front: 'border', back: 'surface', ratio: SHAPE_RATIO },
]

/** Every pair with too little contrast, in both modes, each with its pointer. */
export function contrastErrors(tokens: Pick<ThemeTokens, 'light' | 'dark'>): FieldError[] {
  return (['light', 'dark'] as const).flatMap((mode) =>
    PAIRS.flatMap(({ front, back, ratio }) => {
      const found = contrastRatio(tokens[mode][front], tokens[mode][back])
      if (found >= ratio) return []
      const pointer = `/tokens/${mode}/${front}`
      // Rounded down, so that an insufficient ratio is never shown as sufficient.
      const shown = Math.floor(found * 100) / 100
      return [{ pointer, code: 'contrast', detail: `is ${shown}:1 on ${back}, needs ${ratio}:1` }]
    }),
  )
}

export function checkContrast(tokens: ThemeTokens): void {
  const errors = contrastErrors(tokens)
  if (errors.length > 0) throw problem('MELMASTOON.THEME.CONTRAST_TOO_LOW', { errors })
}
