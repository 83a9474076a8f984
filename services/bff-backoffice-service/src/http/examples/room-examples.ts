import type { OperationExamples } from '@melmastoon/chassis/http'

/** Tasks and work orders. */
export const roomExamples = {
  'staff.task.start': {
    body: {
      expectedVersion: 1,
    },
    responses: {
      '200': {
        taskId: 'hkt_01JGFJJZ00M19TRERQ4KHVEZP0',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        roomId: 'rmu_01JGFJJZ00J6Q1NCVB5QB8J9X0',
        roomNumber: '108',
        kind: 'mid_stay_clean',
        status: 'in_progress',
        version: 2,
        updatedAt: '2026-11-16T06:36:59.315Z',
      },
    },
    parameters: {
      taskId: 'hkt_01JGFJJZ00M19TRERQ4KHVEZP0',
    },
  },
  'staff.task.complete': {
    body: {
      expectedVersion: 2,
    },
    responses: {
      '200': {
        taskId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        roomId: 'rmu_01JGFJJZ001JP0WX1NS4JMDF30',
        roomNumber: '105',
        kind: 'mid_stay_clean',
        status: 'completed',
        version: 3,
        updatedAt: '2026-11-16T06:36:58.671Z',
      },
    },
    parameters: {
      taskId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0',
    },
  },
  'staff.task.inspect': {
    body: {
      expectedVersion: 3,
    },
    responses: {
      '200': {
        taskId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        roomId: 'rmu_01JGFJJZ001JP0WX1NS4JMDF30',
        roomNumber: '105',
        kind: 'mid_stay_clean',
        status: 'inspected',
        version: 4,
        updatedAt: '2026-11-16T06:36:58.711Z',
      },
    },
    parameters: {
      taskId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0',
    },
  },
  'staff.work-order.create': {
    body: {
      blocksRoom: false,
      category: 'plumbing',
      description: 'In the bathroom, next to the door',
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      severity: 'normal',
      source: 'manual_staff',
      title: 'Dripping tap',
    },
    responses: {
      '201': {
        workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        category: 'plumbing',
        severity: 'normal',
        status: 'open',
        blocksRoom: false,
        version: 1,
        updatedAt: '2026-11-16T06:36:59.360Z',
      },
    },
  },
  'staff.work-order.assign': {
    body: {
      assignee: {
        kind: 'staff',
        operatorId: 'opr_01JGFJJZ00TCCVAHR72P7RH3S0',
      },
      expectedVersion: 1,
    },
    responses: {
      '200': {
        workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        category: 'plumbing',
        severity: 'normal',
        status: 'assigned',
        blocksRoom: false,
        assignee: {
          kind: 'staff',
          operatorId: 'opr_01JGFJJZ00TCCVAHR72P7RH3S0',
        },
        version: 2,
        updatedAt: '2026-11-16T06:36:59.560Z',
      },
    },
    parameters: {
      workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
    },
  },
  'staff.work-order.resolve': {
    body: {
      resolution: 'New washer',
      expectedVersion: 2,
    },
    responses: {
      '200': {
        workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        category: 'plumbing',
        severity: 'normal',
        status: 'resolved',
        blocksRoom: false,
        assignee: {
          kind: 'staff',
          operatorId: 'opr_01JGFJJZ00TCCVAHR72P7RH3S0',
        },
        version: 3,
        updatedAt: '2026-11-16T06:36:59.713Z',
      },
    },
    parameters: {
      workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
    },
  },
  'staff.work-order.verify': {
    body: {
      expectedVersion: 3,
    },
    responses: {
      '200': {
        workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        category: 'plumbing',
        severity: 'normal',
        status: 'verified',
        blocksRoom: false,
        assignee: {
          kind: 'staff',
          operatorId: 'opr_01JGFJJZ00TCCVAHR72P7RH3S0',
        },
        version: 4,
        updatedAt: '2026-11-16T06:36:59.786Z',
      },
    },
    parameters: {
      workOrderId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
