import type { OperationExamples } from '@melmastoon/chassis/http'

/** Devices, their synchronisation, outages and streams. */
export const deviceExamples = {
  'staff.device.heartbeat': {
    body: {
      appPlatform: 'linux',
      appVersion: '1.4.0',
      installerChannel: 'stable',
      networkProfile: 'good',
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
    responses: {
      '200': {
        serverTime: '2026-11-16T06:37:00.255Z',
        cursorVersion: 0,
        pendingHints: [],
      },
    },
    parameters: {
      deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
    },
  },
  'staff.device.list': {
    responses: {
      '200': {
        rows: [
          {
            deviceId: 'dev_01M7HH59Y6N7ED32K8GD8X0Z6E',
            name: 'Test device',
            platform: 'linux',
            appVersion: '1.0.0',
            operatorId: 'opr_01JGFJJZ00T35EGPA81KDQRRA0',
            registeredAt: '2026-11-16T06:36:53.061Z',
            lastSignInAt: '2026-11-16T06:36:53.061Z',
            status: 'never_seen',
            lastHeartbeatAt: null,
            lastSyncHandshakeAt: null,
            cursorVersion: 0,
            installerChannel: 'stable',
            networkProfile: null,
            pendingHints: [
              {
                name: 'task.complete',
                count: 2,
                oldestAt: '2026-11-16T06:20:00.000Z',
              },
            ],
          },
          {
            deviceId: 'dev_01M7HH5A081MA31E6M0WQ9SWGH',
            name: 'Test device',
            platform: 'linux',
            appVersion: '1.0.0',
            operatorId: 'opr_01JGFJJZ00QJYVTH3KQ3FSS5Y0',
            registeredAt: '2026-11-16T06:36:53.128Z',
            lastSignInAt: '2026-11-16T06:36:53.128Z',
            status: 'never_seen',
            lastHeartbeatAt: null,
            lastSyncHandshakeAt: null,
            cursorVersion: 0,
            installerChannel: null,
            networkProfile: null,
            pendingHints: [],
          },
        ],
        page: {
          nextCursor: null,
        },
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
  'staff.sync.cursor-get': {
    responses: {
      '200': {
        deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
        pullCursor: null,
        pushAck: null,
        version: 0,
      },
    },
  },
  'staff.sync.cursor-advance': {
    body: {
      expectedVersion: 0,
      pullCursor: 'c1.42',
    },
    responses: {
      '200': {
        deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
        pullCursor: 'c1.42',
        pushAck: null,
        version: 1,
      },
    },
  },
  'staff.sync.handshake': {
    body: {
      propertyIds: ['ppt_01JGFJJZ00WB0S25BBN9F6BWT0'],
    },
    responses: {
      '200': {
        token: 'eyJhbGciOiJFZERTQSJ9.eyJkZXZpY2VJZCI6ImRldl8uLi4ifQ.c2lnbmF0dXJl',
        expiresAt: '2026-11-16T06:52:00.000Z',
        serverTime: '2026-11-16T06:37:00.411Z',
        cursor: {
          deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
          pullCursor: null,
          pushAck: null,
          version: 0,
        },
      },
    },
  },
  'staff.offline.hint': {
    body: {
      actions: [
        {
          count: 2,
          name: 'task.complete',
          oldestAt: '2026-11-16T06:20:00.000Z',
        },
      ],
      appVersion: '1.4.0',
    },
    responses: {
      '201': {
        hintId: 'oaq_01M7HH5ERTNEPD8MC46DGTPC88',
        reportedAt: '2026-11-16T06:36:58.014Z',
      },
    },
  },
  'staff.offline.submit': {
    body: {
      bootId: 'b7',
      intents: [
        {
          intentId: 'int_01M7HH5EE9V4RVEJ8M4RYFWFJ5',
          seq: 1,
          name: 'task.start',
          resourceId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0',
          occurredAt: '2026-11-16T06:36:57.673Z',
          expect: {
            version: 1,
          },
        },
      ],
      sentAt: '2026-11-16T06:36:57.673Z',
    },
    responses: {
      '200': {
        results: [
          {
            intentId: 'int_01M7HH5EE9V4RVEJ8M4RYFWFJ5',
            pending: false,
            replayed: false,
            verdict: 'applied',
            occurredAt: '2026-11-16T06:36:58.056Z',
            clockSuspect: false,
          },
        ],
      },
    },
  },
  'staff.offline.verdict': {
    responses: {
      '200': {
        intentId: 'int_01M7HH5EE9V4RVEJ8M4RYFWFJ5',
        pending: false,
        replayed: true,
        verdict: 'applied',
        occurredAt: '2026-11-16T06:36:58.056Z',
        clockSuspect: false,
      },
    },
    parameters: {
      intentId: 'int_01M7HH5EE9V4RVEJ8M4RYFWFJ5',
    },
  },
  'staff.offline.pack': {
    responses: {
      '200': {
        pack: 'eyJhbGciOiJFZERTQSJ9.eyJwcm9wZXJ0eUlkIjoicHB0Xy4uLiJ9.c2lnbmF0dXJl',
        expiresAt: '2026-11-16T18:36:59.000Z',
        publicJwk: {
          kty: 'OKP',
          crv: 'Ed25519',
          x: 'hxpsIm4rlcERPb-A1zeU2WlCfm5EtWxroGy1Ub4WSBQ',
          kid: 'test',
        },
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
  'staff.stream.open': {
    parameters: {
      'last-event-id': 'k3v9.41',
    },
    responses: {
      '200':
        'event: hello\nid: k3v9.41\ndata: {"channels":["arrivals"]}\n\nevent: arrivals\nid: k3v9.42\ndata: {"type": "reservation.checked_in", "propertyId": "ppt_01JGFJJZ00WB0S25BBN9F6BWT0", "reservationId": "rsv_01JGFJJZ005CBGNTWBEHGZATE0", "status": "checked_in", "version": 2}\n\n',
    },
  },
  'staff.stream.poll': {
    responses: {
      '200': {
        events: [
          {
            id: 'k3v9.42',
            event: 'arrivals',
            data: {
              type: 'reservation.checked_in',
              propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
              reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
              status: 'checked_in',
              version: 2,
            },
          },
        ],
        lastEventId: 'k3v9.42',
        gap: null,
        hasMore: false,
      },
    },
    parameters: {
      after: 'k3v9.41',
    },
  },
  'staff.stream.renew': {
    responses: {
      '200': {
        tokenExpiresAt: '2026-11-16T06:51:54.000Z',
      },
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
