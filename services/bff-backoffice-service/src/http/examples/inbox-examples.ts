import type { OperationExamples } from '@melmastoon/chassis/http'

/** Alerts, suggestions and preferences. */
export const inboxExamples = {
  'staff.alert.list': {
    responses: {
      '200': {
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        asOf: '2026-11-16T06:36:56.753Z',
        ageMs: 49,
        source: 'current',
        page: {
          total: 4,
          hasMore: false,
        },
        rows: [
          {
            alertId: 'alt_01JGFJJZ0087DQ9NMJ6PNQ11B0',
            entryId: 'ali_01JGFJJZ0087DQ9NMJ6PNQ11B0',
            propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
            category: 'late_arrival',
            severity: 'info',
            title: {
              key: 'alerts.late_arrival',
              params: {
                resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
              },
            },
            audience: ['front_desk', 'general_manager'],
            resourceKind: 'reservation',
            resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            raisedAt: '2026-11-15T17:10:00.000Z',
            state: 'open',
            acknowledgedBy: [],
            version: 1,
          },
          {
            alertId: 'alt_01JGFJJZ00JVA67NQ006T08FF0',
            entryId: 'ali_01JGFJJZ00JVA67NQ006T08FF0',
            propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
            category: 'balance_due',
            severity: 'warning',
            title: {
              key: 'alerts.balance_due',
              params: {
                resourceId: 'rsv_01JGFJJZ00QQEGK1FQB0D19AY0',
              },
            },
            audience: ['front_desk', 'general_manager'],
            resourceKind: 'reservation',
            resourceId: 'rsv_01JGFJJZ00QQEGK1FQB0D19AY0',
            raisedAt: '2026-11-15T15:45:00.000Z',
            state: 'open',
            acknowledgedBy: [],
            version: 1,
          },
        ],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      state: 'open',
    },
  },
  'staff.alert.acknowledge': {
    body: {
      note: 'Seen at the desk',
    },
    responses: {
      '200': {
        alert: {
          alertId: 'alt_01JGFJJZ0087DQ9NMJ6PNQ11B0',
          entryId: 'ali_01JGFJJZ0087DQ9NMJ6PNQ11B0',
          propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
          category: 'late_arrival',
          severity: 'info',
          title: {
            key: 'alerts.late_arrival',
            params: {
              resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            },
          },
          audience: ['front_desk', 'general_manager'],
          resourceKind: 'reservation',
          resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
          raisedAt: '2026-11-15T17:10:00.000Z',
          state: 'acknowledged',
          acknowledgedBy: [
            {
              operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
              at: '2026-11-16T06:36:56.935Z',
            },
          ],
          version: 2,
        },
        acknowledgedAt: '2026-11-16T06:36:56.954Z',
      },
    },
    parameters: {
      alertId: 'alt_01JGFJJZ0087DQ9NMJ6PNQ11B0',
    },
  },
  'staff.suggestion.list': {
    responses: {
      '200': {
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        asOf: '2026-11-16T06:36:56.984Z',
        ageMs: 30,
        source: 'current',
        page: {
          total: 1,
          hasMore: false,
        },
        rows: [
          {
            suggestionId: 'sug_01JGFJJZ00VX9JY2AYBV5P55W0',
            entryId: 'aim_01JGFJJZ00VX9JY2AYBV5P55W0',
            propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
            category: 'guest_special_handling',
            class: 'desk',
            severity: 'info',
            state: 'proposed',
            title: {
              key: 'suggestions.guest_special_handling',
              params: {
                reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
              },
            },
            resourceKind: 'reservation',
            resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            proposal: {
              kind: 'guest_special_handling',
              reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
              handlings: ['early_check_in', 'welcome_amenity'],
            },
            provenance: {
              capability: 'guest.special_handling',
              model: 'deterministic-rules',
              modelVersion: '1',
              promptVersion: 'rules-1',
              inputHash: 'sha256:3008abe9949c70bba08efc142b69d42aba174a72dbc930c16470f678fffab5a0',
              snapshotId: 'world@2026-11-16',
              confidence: 0.5,
              generatedAt: '2026-11-15T17:30:00.000Z',
              expiresAt: '2026-11-17T17:30:00.000Z',
              fallback: true,
              traceId: '0c3928bab4a03f9e6e01a747983d8620',
            },
            version: 1,
          },
        ],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      state: 'proposed',
    },
  },
  'staff.suggestion.decide': {
    body: {
      modifiedDelta: {
        handlings: ['welcome_amenity'],
      },
      outcome: 'modified',
    },
    responses: {
      '200': {
        suggestion: {
          suggestionId: 'sug_01JGFJJZ00VX9JY2AYBV5P55W0',
          entryId: 'aim_01JGFJJZ00VX9JY2AYBV5P55W0',
          propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
          category: 'guest_special_handling',
          class: 'desk',
          severity: 'info',
          state: 'modified',
          title: {
            key: 'suggestions.guest_special_handling',
            params: {
              reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            },
          },
          resourceKind: 'reservation',
          resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
          proposal: {
            kind: 'guest_special_handling',
            reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            handlings: ['early_check_in', 'welcome_amenity'],
          },
          provenance: {
            capability: 'guest.special_handling',
            model: 'deterministic-rules',
            modelVersion: '1',
            promptVersion: 'rules-1',
            inputHash: 'sha256:3008abe9949c70bba08efc142b69d42aba174a72dbc930c16470f678fffab5a0',
            snapshotId: 'world@2026-11-16',
            confidence: 0.5,
            generatedAt: '2026-11-15T17:30:00.000Z',
            expiresAt: '2026-11-17T17:30:00.000Z',
            fallback: true,
            traceId: '0c3928bab4a03f9e6e01a747983d8620',
          },
          decision: {
            decisionId: 'sdl_01M7HH5E5D70AW7PGRF3103VXB',
            outcome: 'modified',
            modifiedDelta: {
              handlings: ['welcome_amenity'],
            },
            operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
            deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
            decidedAt: '2026-11-16T06:36:57.389Z',
          },
          version: 1,
        },
        decision: {
          decisionId: 'sdl_01M7HH5E5D70AW7PGRF3103VXB',
          outcome: 'modified',
          modifiedDelta: {
            handlings: ['welcome_amenity'],
          },
          operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
          deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
          decidedAt: '2026-11-16T06:36:57.389Z',
        },
      },
    },
    parameters: {
      suggestionId: 'sug_01JGFJJZ00VX9JY2AYBV5P55W0',
    },
  },
  'staff.preferences.get': {
    responses: {
      '200': {
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        payload: {},
        version: 0,
        source: 'current',
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
  'staff.preferences.put': {
    body: {
      expectedVersion: 0,
      payload: {
        shortcuts: {},
        startPage: 'arrivals',
      },
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
    responses: {
      '200': {
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        payload: {
          shortcuts: {},
          startPage: 'arrivals',
        },
        version: 1,
        source: 'current',
      },
    },
  },
  'staff.shortcuts.get': {
    responses: {
      '200': {
        platform: 'linux',
        version: 1,
        shortcuts: [
          {
            action: 'go.dashboard',
            keys: 'g h',
            group: 'navigation',
            isChanged: false,
          },
          {
            action: 'go.today',
            keys: 'g t',
            group: 'navigation',
            isChanged: false,
          },
        ],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      platform: 'linux',
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
