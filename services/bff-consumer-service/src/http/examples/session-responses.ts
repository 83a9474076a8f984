import type { OperationExamples } from '@melmastoon/chassis/http'

const FLAGS = { consentTelemetry: true, consentMarketing: false } as const

const NEW_SESSION = {
  id: 'gms_01M7HW50V1JSN29VNZMW0QEQ0X',
  createdAt: '2026-11-16T09:48:58.081Z',
  lastSeenAt: '2026-11-16T09:48:58.081Z',
  localePreference: 'en',
  currencyPreference: 'AED',
  recentlyViewed: [],
  wishlistRefs: [],
  searchHistory: [],
  flags: FLAGS,
} as const

/** Of the session and of telemetry. */
export const sessionResponses = {
  'consumer.session.start': {
    '200': NEW_SESSION,
    '201': NEW_SESSION,
  },
  'consumer.session.read': {
    '200': {
      ...NEW_SESSION,
      lastSeenAt: '2026-11-16T09:48:59.124Z',
      recentlyViewed: [
        {
          propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
          tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
          viewedAt: '2026-11-16T09:48:59.768Z',
          source: 'search-list',
        },
      ],
      wishlistRefs: [
        {
          wishlistId: 'wsh_01M7HW52H2A84CG4AJKR4KYW2R',
          propertyId: 'ppt_01JGFJJZ00FEZX5NKGQTQDJ3B0',
          tenantId: 'tnt_01JGFJJZ007BWH85T2P5075HP0',
          addedAt: '2026-11-16T09:48:59.852Z',
        },
      ],
      searchHistory: [
        {
          searchSessionId: 'srs_01M7HW51S6X0GWWBTJHYK5JDA0',
          queryHash: 'sha256:4fadc2fefb5cb2a1a26b70e8747714ac17e27fffd91de0c35d8f303768b153be',
          geo: {
            mode: 'city',
            city: 'dubai',
          },
          dates: {
            checkIn: '2027-05-20',
            checkOut: '2027-05-22',
          },
          occupancy: {
            adults: 2,
            children: 0,
            rooms: 1,
          },
          executedAt: '2026-11-16T09:48:59.046Z',
        },
      ],
    },
  },
  'consumer.session.clear': {},
  'consumer.locale.set': {
    '200': {
      localePreference: 'ps-AF',
      currencyPreference: 'AED',
      flags: FLAGS,
    },
  },
  'consumer.currency.set': {
    '200': {
      localePreference: 'ps-AF',
      currencyPreference: 'USD',
      flags: FLAGS,
    },
  },
  'consumer.consent.set': {
    '200': {
      localePreference: 'ps-AF',
      currencyPreference: 'USD',
      flags: {
        consentTelemetry: false,
        consentMarketing: false,
      },
    },
  },
  'consumer.page_view.record': {},
  'consumer.funnel_step.record': {},
  'consumer.challenge.issue': {
    '201': {
      token: 'eyJhY3Rpb24iOiJjb25zdW1lcl9zZWFyY2hfbGlzdCJ9.…',
      expiresInSeconds: 120,
    },
  },
} as const satisfies Readonly<Record<string, NonNullable<OperationExamples['responses']>>>
