import type { ThemeTokens } from '../../theme/contract.ts'
import type { Script } from '../clients.ts'
import { makeTenant } from './test-data.ts'

/** Dark on light and light on dark, far above the required contrast. */
const TOKENS: ThemeTokens = {
  light: {
    primary: '#003322',
    onPrimary: '#ffffff',
    surface: '#ffffff',
    onSurface: '#111111',
    muted: '#444444',
    accent: '#5a2a00',
    onAccent: '#ffffff',
    danger: '#7a0010',
    onDanger: '#ffffff',
    border: '#666666',
  },
  dark: {
    primary: '#bfffe0',
    onPrimary: '#000000',
    surface: '#101010',
    onSurface: '#f5f5f5',
    muted: '#cccccc',
    accent: '#ffd9b0',
    onAccent: '#000000',
    danger: '#ffb3ba',
    onDanger: '#000000',
    border: '#999999',
  },
  typography: { latin: 'Inter', arabic: 'Vazirmatn', scaleRatio: 1.2 },
  radiusPx: 8,
  spacingPx: 8,
  motionMs: 150,
}

export const themeScript: Script = {
  upstream: 'theme',
  async run({ clients }) {
    const { theme } = clients
    const { tenantId } = await makeTenant(clients)
    const params = { tenantId }
    const own = { tenantId }
    const body = {
      brandName: { default: 'Conformance' },
      layoutPreset: 'quiet' as const,
      tokens: TOKENS,
      flow: { optionalFields: [], paymentRails: ['cash_on_arrival' as const] },
    }
    const first = await theme.createVersion({ params, body }, own)
    const second = await theme.createVersion({ params, body }, own)
    for (const { version } of [first, second, first]) {
      await theme.publishVersion({ params: { tenantId, version }, body: {} }, own)
    }
    await theme.getPublished({ params })
    await theme.listVersions({ params }, own)
    await theme.peekBrands({ body: { tenantIds: [tenantId] } })
  },
}
