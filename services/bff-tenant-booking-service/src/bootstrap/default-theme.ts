import { FLOW_STEPS } from '@melmastoon/upstream-contracts/theme'
import type { SiteTheme } from './theme.ts'

const light = {
  primary: '#1f4e5f',
  onPrimary: '#ffffff',
  surface: '#ffffff',
  onSurface: '#1a1a1a',
  muted: '#595959',
  accent: '#7a3e00',
  onAccent: '#ffffff',
  danger: '#9b1c1c',
  onDanger: '#ffffff',
  border: '#767676',
}

const dark = {
  primary: '#9fd3e4',
  onPrimary: '#0d2129',
  surface: '#121212',
  onSurface: '#f2f2f2',
  muted: '#b3b3b3',
  accent: '#ffc27a',
  onAccent: '#2b1600',
  danger: '#ff9b9b',
  onDanger: '#330000',
  border: '#8c8c8c',
}

/** The look of the platform, for a site whose own theme cannot be read. */
export const DEFAULT_THEME: SiteTheme = {
  version: 'default',
  brandName: { default: '' },
  layoutPreset: 'quiet',
  tokens: {
    light,
    dark,
    typography: { latin: 'Noto Sans', arabic: 'Noto Naskh Arabic', scaleRatio: 1.2 },
    radiusPx: 8,
    spacingPx: 8,
    motionMs: 0,
  },
  logoUrl: null,
  flow: { steps: [...FLOW_STEPS], optionalFields: [], paymentRails: [] },
}
