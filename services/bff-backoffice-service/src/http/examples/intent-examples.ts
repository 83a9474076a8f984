/** By name: what each intent of the offline queue contains besides its id, number and time. */
export const INTENT_EXAMPLES: Readonly<
  Record<string, { readonly resourceId: string; readonly expect?: object; readonly args?: object }>
> = {
  'task.start': { resourceId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0', expect: { version: 1 } },
  'task.complete': { resourceId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0', expect: { version: 2 } },
  'task.inspect': { resourceId: 'hkt_01JGFJJZ00BF1T0CJ230XAP2J0', expect: { version: 3 } },
  'reservation.check_in': {
    resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    expect: { version: 4 },
    args: { roomIds: ['rmu_01JGFJJZ00H2RT6YESBCCVVAA0'] },
  },
  'reservation.check_out': {
    resourceId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
    expect: { version: 5 },
  },
  'folio.post_charge': {
    resourceId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
    expect: { currency: 'AFN' },
    args: { amount: 15_000, category: 'minibar', description: 'Two bottles of water' },
  },
  'room.report_issue': {
    resourceId: 'rmu_01JGFJJZ00H2RT6YESBCCVVAA0',
    args: { category: 'plumbing', severity: 'normal', title: 'The tap drips' },
  },
  'work_order.resolve': {
    resourceId: 'mnt_01M7HH5G30QZM3MWQXPZJ23AYN',
    expect: { version: 2 },
    args: { resolution: 'Replaced the washer' },
  },
  'alert.acknowledge': {
    resourceId: 'alt_01JGFJJZ0087DQ9NMJ6PNQ11B0',
    args: { note: 'The guest was called' },
  },
  'suggestion.decide': {
    resourceId: 'sug_01JGFJJZ00VX9JY2AYBV5P55W0',
    args: { outcome: 'accepted' },
  },
  'preferences.update': {
    resourceId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    expect: { version: 0 },
    args: { payload: { theme: 'dark' } },
  },
}
