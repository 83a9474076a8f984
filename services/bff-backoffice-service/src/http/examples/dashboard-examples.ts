import type { OperationExamples } from '@melmastoon/chassis/http'

/** The dashboard, as a document and as lines. */
export const dashboardExamples = {
  'staff.dashboard.get': {
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
    media: {
      'application/json': {
        snapshotId: 'dsh_01M7HH5B34MD36WSJWW2WQKNAQ',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        complete: true,
        widgets: [
          {
            id: 'arrivals',
            status: 'ok',
            asOf: '2026-11-16T06:36:54.258Z',
            ageMs: 129,
            source: 'live',
            upstream: 'reservation',
            problem: null,
            data: {
              counts: {
                expected: 8,
                arrived: 0,
                late: 0,
                unassigned: 0,
              },
            },
          },
          {
            id: 'departures',
            status: 'ok',
            asOf: '2026-11-16T06:36:54.259Z',
            ageMs: 161,
            source: 'live',
            upstream: 'reservation',
            problem: null,
            data: {
              counts: {
                expected: 11,
                departed: 0,
                overdue: 0,
              },
            },
          },
          {
            id: 'occupancy',
            status: 'ok',
            asOf: '2026-11-16T06:36:54.259Z',
            ageMs: 107,
            source: 'live',
            upstream: 'reservation',
            problem: null,
            data: {
              nights: [
                {
                  night: '2026-11-16',
                  rooms: 40,
                  sold: 18,
                },
                {
                  night: '2026-11-17',
                  rooms: 40,
                  sold: 17,
                },
                {
                  night: '2026-11-18',
                  rooms: 40,
                  sold: 17,
                },
              ],
            },
          },
        ],
      },
      'application/x-ndjson':
        '{"type": "skeleton", "snapshotId": "dsh_01M7HH5B34MD36WSJWW2WQKNAQ", "propertyId": "ppt_01JGFJJZ00WB0S25BBN9F6BWT0", "businessDate": "2026-11-16", "widgets": [{"id": "arrivals", "upstream": "reservation"}, {"id": "departures", "upstream": "reservation"}, {"id": "occupancy", "upstream": "reservation"}]}\n{"type": "widget", "id": "arrivals", "status": "ok", "asOf": "2026-11-16T06:36:54.258Z", "ageMs": 129, "source": "live", "upstream": "reservation", "problem": null, "data": {"counts": {"expected": 8, "arrived": 0, "late": 0, "unassigned": 0}}}\n{"type": "widget", "id": "departures", "status": "ok", "asOf": "2026-11-16T06:36:54.259Z", "ageMs": 161, "source": "live", "upstream": "reservation", "problem": null, "data": {"counts": {"expected": 11, "departed": 0, "overdue": 0}}}\n{"type": "widget", "id": "occupancy", "status": "ok", "asOf": "2026-11-16T06:36:54.259Z", "ageMs": 107, "source": "live", "upstream": "reservation", "problem": null, "data": {"nights": [{"night": "2026-11-16", "rooms": 40, "sold": 18}, {"night": "2026-11-17", "rooms": 40, "sold": 17}, {"night": "2026-11-18", "rooms": 40, "sold": 17}]}}\n{"type": "end", "complete": true}\n',
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
