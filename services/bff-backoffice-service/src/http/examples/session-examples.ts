import { messageExamples } from '@melmastoon/bff/languages'
import type { OperationExamples } from '@melmastoon/chassis/http'

/** Sessions, second factors and the ledger. */
export const sessionExamples = {
  'staff.message.list': messageExamples,
  'staff.session.get': {
    responses: {
      '200': {
        sessionId: 'bos_01M7HH5A2WB49QVVP3VG5NP66K',
        tenantId: 'tnt_01JGFJJZ00B3Y6DPH5J9YCV6M0',
        operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
        deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
        roles: ['front_desk'],
        isLead: false,
        boardClass: 'desk',
        properties: ['ppt_01JGFJJZ00WB0S25BBN9F6BWT0'],
        tokenExpiresAt: '2026-11-16T06:51:54.000Z',
      },
    },
  },
  'staff.session.refresh': {
    body: {
      refreshToken: '1.fam_01M7H3MABVHXKJWYBB7YY52MY4.7.0.q2lnbmF0dXJl',
    },
    responses: {
      '200': {
        accessToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.…',
        refreshToken: '1.fam_01M7H3MABVHXKJWYBB7YY52MY4.8.0.c2lnbmF0dXJl',
        expiresIn: 900,
        sessionId: 'bos_01M7HH5A2WB49QVVP3VG5NP66K',
        operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
        deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
        tenantId: 'tnt_01JGFJJZ00B3Y6DPH5J9YCV6M0',
        familyExpiresAt: '2026-12-16T06:36:30.000Z',
      },
    },
  },
  'staff.session.sign-out': {},
  'staff.mfa.challenge': {
    body: {
      action: 'lock.revoke',
      resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
      resourceKind: 'reservation',
    },
    responses: {
      '201': {
        challengeId: 'chl_01M7HH5CRAGXC72SK1H0413R32',
        challenge: 'wW7g2qusuU2SIwu7cgvAitMKL_F3f0UEroOi-ij1hjs',
        expiresAt: '2026-11-16T06:41:55.946Z',
        factors: ['signed_challenge', 'totp'],
      },
    },
  },
  'staff.mfa.step-up': {
    body: {
      action: 'lock.revoke',
      assertion: 'c2lnbmF0dXJlIG9mIHRoZSBjaGFsbGVuZ2U',
      challengeId: 'chl_01M7HH5CRAGXC72SK1H0413R32',
      factor: 'signed_challenge',
      resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
      resourceKind: 'reservation',
    },
    responses: {
      '201': {
        attestationId: 'mfa_01M7HH5CT3CE3TZ30PWXXH0774',
        factor: 'signed_challenge',
        expiresAt: '2026-11-16T06:41:56.008Z',
      },
    },
  },
  'staff.key.read': {
    responses: {
      '200': {
        uses: [
          {
            operation: 'staff.offline.hint',
            status: 201,
          },
        ],
      },
    },
    parameters: {
      key: 'req_01M7HGQDMYH5R929XSFFAJ49HY',
    },
  },
  'staff.activity.list': {
    responses: {
      '200': {
        rows: [
          {
            activityId: 'act_01M7HH5GZ03FDZBB1HE6BCF4D1',
            propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
            operatorId: 'opr_01JGFJJZ00FN9SAW6S1KZK61J0',
            deviceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
            occurredAt: '2026-11-16T06:37:00.256Z',
            category: 'devices',
            action: 'device.heartbeat',
            resourceKind: 'device',
            resourceId: 'dev_01M7HH5A2JEJSMDMBHBP8SXPVK',
            outcome: 'success',
            latencyMs: 27,
            errorCode: null,
          },
          {
            activityId: 'act_01M7HH5GGQXQ4NE0WG5VX0Y5DJ',
            propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
            operatorId: 'opr_01JGFJJZ00QJYVTH3KQ3FSS5Y0',
            deviceId: 'dev_01M7HH5A081MA31E6M0WQ9SWGH',
            occurredAt: '2026-11-16T06:36:59.799Z',
            category: 'maintenance',
            action: 'work_order.verify',
            resourceKind: 'work_order',
            resourceId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
            outcome: 'success',
            latencyMs: 55,
            errorCode: null,
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
} as const satisfies Readonly<Record<string, OperationExamples>>
