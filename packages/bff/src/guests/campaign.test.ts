import { expect, it } from 'vitest'
import { captureCampaign } from './campaign.ts'

const NOW = new Date('2026-03-21T09:00:00.000Z')
const given = (source?: string) => ({ source, medium: undefined, campaign: undefined })

it.each(['radio', 'Nowruz 1405', 'google.ads+af', 'spring_sale-2'])(
  '%s is a campaign',
  (source) => {
    expect(captureCampaign(given(source), NOW)).toEqual({ source, capturedAt: NOW.toISOString() })
  },
)

it.each([undefined, 'ahmad@example.com', '+93700123456', '<script>', '', 'a'.repeat(101)])(
  '%s is none',
  (source) => {
    expect(captureCampaign(given(source), NOW)).toBeUndefined()
  },
)
