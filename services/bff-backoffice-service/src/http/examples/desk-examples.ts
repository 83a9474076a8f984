import type { OperationExamples } from '@melmastoon/chassis/http'

/** A stay from check-in to check-out, with its keys. */
export const deskExamples = {
  'staff.reservation.check-in': {
    body: {
      expectedVersion: 1,
    },
    responses: {
      '200': {
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        status: 'checked_in',
        version: 2,
        updatedAt: '2026-11-16T06:36:54.587Z',
        rooms: [
          {
            roomId: 'rmu_01JGFJJZ00H2RT6YESBCCVVAA0',
            number: '101',
          },
        ],
        folioId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.reservation.check-out': {
    body: {
      expectedVersion: 2,
    },
    responses: {
      '200': {
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        status: 'checked_out',
        version: 3,
        updatedAt: '2026-11-16T06:37:00.927Z',
        rooms: [
          {
            roomId: 'rmu_01JGFJJZ00H2RT6YESBCCVVAA0',
            number: '101',
          },
        ],
        folioId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.folio.charge': {
    body: {
      amount: {
        amount: 500,
        currency: 'AFN',
      },
      category: 'laundry',
      description: 'Two shirts',
    },
    responses: {
      '201': {
        chargeId: 'chg_01M7HH5DDNVDQHJDDX8MCDR5RY',
        folioId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
        postedAt: '2026-11-16T06:36:56.629Z',
        folioStatus: 'open',
        balance: {
          amount: 1040500,
          currency: 'AFN',
        },
        version: 3,
        updatedAt: '2026-11-16T06:36:56.633Z',
      },
    },
    parameters: {
      folioId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.lock.issue': {
    body: {
      kind: 'pin_code',
    },
    responses: {
      '201': {
        actionId: 'lap_01M7HH5BGCVYV4QF64V3E42QKE',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'succeeded',
        outcome: 'success',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'issue',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        kind: 'pin_code',
        validFrom: '2026-11-16T06:36:54.659Z',
        validUntil: '2026-11-18T07:00:00.000Z',
        requestedAt: '2026-11-16T06:36:54.669Z',
        settledAt: '2026-11-16T06:36:55.154Z',
        errorCode: null,
        secret: {
          pin: '402917',
        },
      },
      '202': {
        actionId: 'lap_01M7HH5BGCVYV4QF64V3E42QKE',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'unknown',
        outcome: 'unknown',
        vendor: 'ttlock',
        keyId: null,
        action: 'issue',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        kind: 'pin_code',
        validFrom: '2026-11-16T06:36:54.659Z',
        validUntil: '2026-11-18T07:00:00.000Z',
        requestedAt: '2026-11-16T06:36:54.669Z',
        settledAt: null,
        errorCode: null,
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.lock.revoke': {
    body: {
      attestationId: 'mfa_01M7HH5CT3CE3TZ30PWXXH0774',
      keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
      reason: 'lost',
    },
    responses: {
      '201': {
        actionId: 'lap_01M7HH5CTS0JJ0R0M18R20SYG1',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'succeeded',
        outcome: 'success',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'revoke',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        requestedAt: '2026-11-16T06:36:56.025Z',
        settledAt: '2026-11-16T06:36:56.283Z',
        errorCode: null,
      },
      '202': {
        actionId: 'lap_01M7HH5CTS0JJ0R0M18R20SYG1',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'unknown',
        outcome: 'unknown',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'revoke',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        requestedAt: '2026-11-16T06:36:56.025Z',
        settledAt: null,
        errorCode: null,
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.lock.rebind': {
    body: {
      keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
    },
    responses: {
      '201': {
        actionId: 'lap_01M7HH5CH6JVFE4VRCWTDF1CWY',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'succeeded',
        outcome: 'success',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'rebind',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        requestedAt: '2026-11-16T06:36:55.718Z',
        settledAt: '2026-11-16T06:36:55.914Z',
        errorCode: null,
      },
      '202': {
        actionId: 'lap_01M7HH5CH6JVFE4VRCWTDF1CWY',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'unknown',
        outcome: 'unknown',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'rebind',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        requestedAt: '2026-11-16T06:36:55.718Z',
        settledAt: null,
        errorCode: null,
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.lock.extend': {
    body: {
      keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
    },
    responses: {
      '201': {
        actionId: 'lap_01M7HH5CBG6FCYY7G06EZ49NZ9',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'succeeded',
        outcome: 'success',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'extend',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        validUntil: '2026-11-18T07:00:00.000Z',
        requestedAt: '2026-11-16T06:36:55.536Z',
        settledAt: '2026-11-16T06:36:55.680Z',
        errorCode: null,
      },
      '202': {
        actionId: 'lap_01M7HH5CBG6FCYY7G06EZ49NZ9',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        state: 'unknown',
        outcome: 'unknown',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        action: 'extend',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        validUntil: '2026-11-18T07:00:00.000Z',
        requestedAt: '2026-11-16T06:36:55.536Z',
        settledAt: null,
        errorCode: null,
      },
    },
    parameters: {
      reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    },
  },
  'staff.lock.action-get': {
    responses: {
      '200': {
        actionId: 'lap_01M7HH5CTS0JJ0R0M18R20SYG1',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
        action: 'revoke',
        state: 'succeeded',
        outcome: 'success',
        vendor: 'ttlock',
        keyId: 'key_01M7HH5BH196RF0NWXQ4V7RD8D',
        roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'],
        requestedAt: '2026-11-16T06:36:56.025Z',
        settledAt: '2026-11-16T06:36:56.283Z',
        errorCode: null,
        transitions: [
          {
            at: '2026-11-16T06:36:56.025Z',
            state: 'requested',
            source: 'request',
            applied: true,
            sequence: null,
            errorCode: null,
          },
          {
            at: '2026-11-16T06:36:56.283Z',
            state: 'succeeded',
            source: 'response',
            applied: true,
            sequence: null,
            errorCode: null,
          },
        ],
      },
    },
    parameters: {
      actionId: 'lap_01M7HH5CTS0JJ0R0M18R20SYG1',
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
