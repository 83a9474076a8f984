import type { OperationExamples } from '@melmastoon/chassis/http'

/** The boards of a day. */
export const boardExamples = {
  'staff.board.today': {
    responses: {
      '200': {
        board: 'today',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:54.276Z',
        rows: [
          {
            id: 'arrivals',
            counts: {
              expected: 8,
              arrived: 0,
              late: 0,
              unassigned: 0,
            },
          },
        ],
        ageMs: 199,
        source: 'live',
        page: {
          total: 5,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiZzdpVUg5MlEzdGRtYmpuYyIsbnVsbF0.x8tBbeD0W-NKDmsXJPdRIAdJsIWT3_ys5nNBeF3af6k',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
  'staff.board.arrivals': {
    responses: {
      '200': {
        board: 'arrivals',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:54.297Z',
        rows: [
          {
            id: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
            version: 1,
            updatedAt: '2026-11-16T06:36:36.518Z',
            allowedActions: ['check_in'],
            code: '2GUCZJKG',
            status: 'confirmed',
            checkIn: '2026-11-16',
            checkOut: '2026-11-18',
            nights: 2,
            nightsLeft: 2,
            guest: {
              fullName: 'تورپېکۍ عزیزي',
              locale: 'ps-AF',
            },
            party: {
              adults: 1,
              children: 0,
            },
            eta: '12:30',
            checkOutTime: '11:00',
            roomTypes: [
              {
                roomTypeId: 'rmt_01JGFJJZ00P954CZPBYPBNSBK0',
                rooms: 1,
              },
            ],
            flags: [],
            rooms: [
              {
                roomId: 'rmu_01JGFJJZ00H2RT6YESBCCVVAA0',
                number: '101',
                condition: 'inspected',
                ready: true,
              },
            ],
            readiness: 'ready',
            dnd: false,
            folioId: 'fol_01JGFJJZ005CBGNTWBEHGZATE0',
            folioStatus: 'pending',
            balance: {
              amount: 1040000,
              currency: 'AFN',
            },
            keyState: 'none',
            keyIds: [],
          },
        ],
        ageMs: 248,
        source: 'cache',
        page: {
          total: 8,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiZDZpcTJsMmNGZXNiMmpGRyIsbnVsbF0.A3yQYiaCIHU8ut8rfGxBFb4YuGJp1DpOHqa3x9Unp0A',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      date: '2026-11-16',
    },
  },
  'staff.board.departures': {
    responses: {
      '200': {
        board: 'departures',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:54.269Z',
        rows: [
          {
            id: 'rsv_01JGFJJZ006C2PBQBX0XRJ5QF0',
            version: 1,
            updatedAt: '2026-11-16T06:36:36.519Z',
            allowedActions: ['check_out'],
            code: '2HR7LSX2',
            status: 'in_house',
            checkIn: '2026-11-11',
            checkOut: '2026-11-16',
            nights: 5,
            nightsLeft: 0,
            guest: {
              fullName: 'نجیب عزیزی',
              locale: 'fa-AF',
            },
            party: {
              adults: 2,
              children: 0,
            },
            eta: '16:00',
            checkOutTime: '11:00',
            roomTypes: [
              {
                roomTypeId: 'rmt_01JGFJJZ008F9H4D4835JGBTC0',
                rooms: 1,
              },
            ],
            flags: [],
            rooms: [
              {
                roomId: 'rmu_01JGFJJZ00BE5SA17XCMTNWYC0',
                number: '301',
                condition: 'dirty',
              },
            ],
            readiness: 'occupied',
            dnd: false,
            folioId: 'fol_01JGFJJZ006C2PBQBX0XRJ5QF0',
            folioStatus: 'open',
            balance: {
              amount: 2550700,
              currency: 'AFN',
            },
            keyState: 'active',
            keyIds: ['key_01JGFJJZ006C2PBQBX0XRJ5QF0'],
          },
        ],
        ageMs: 251,
        source: 'live',
        page: {
          total: 11,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiMVh5MlNzcEQ2N3BobGY3WiIsbnVsbF0.EJAsHr3J2NOu4qC2dgOioBGiV0ScJO4n-ME7oNEiRvE',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      date: '2026-11-16',
    },
  },
  'staff.board.in-house': {
    responses: {
      '200': {
        board: 'in_house',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:56.433Z',
        rows: [
          {
            id: 'rsv_01JGFJJZ00Y38C8JKYB5BQZ7N0',
            version: 1,
            updatedAt: '2026-11-16T06:36:36.522Z',
            allowedActions: ['check_out'],
            code: '2P9ZRD7D',
            status: 'in_house',
            checkIn: '2026-11-15',
            checkOut: '2026-11-20',
            nights: 5,
            nightsLeft: 4,
            guest: {
              fullName: 'یوسف بارکزی',
              locale: 'fa-AF',
            },
            party: {
              adults: 2,
              children: 0,
            },
            eta: '12:00',
            checkOutTime: '11:00',
            roomTypes: [
              {
                roomTypeId: 'rmt_01JGFJJZ008F9H4D4835JGBTC0',
                rooms: 1,
              },
            ],
            flags: [],
            rooms: [
              {
                roomId: 'rmu_01JGFJJZ00X2N06JK45RDJKKY0',
                number: '303',
                condition: 'dirty',
              },
            ],
            readiness: 'occupied',
            dnd: false,
            folioId: 'fol_01JGFJJZ00Y38C8JKYB5BQZ7N0',
            folioStatus: 'open',
            balance: {
              amount: 1282400,
              currency: 'AFN',
            },
            keyState: 'active',
            keyIds: ['key_01JGFJJZ00Y38C8JKYB5BQZ7N0'],
          },
        ],
        ageMs: 49,
        source: 'live',
        page: {
          total: 22,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiNXl0SG56NXI4UFB2TEtFcSIsbnVsbF0.r-22JinC3wtf0qNHI2MUkYWNI5C3ADG_aPycuvU4t4I',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
      date: '2026-11-16',
    },
  },
  'staff.board.housekeeping': {
    responses: {
      '200': {
        board: 'housekeeping',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:57.633Z',
        rows: [
          {
            id: 'rmu_01JGFJJZ00H2RT6YESBCCVVAA0',
            version: 2,
            updatedAt: '2026-11-16T06:36:55.162Z',
            number: '101',
            floor: 1,
            roomTypeId: 'rmt_01JGFJJZ00P954CZPBYPBNSBK0',
            condition: 'inspected',
            occupancy: 'occupied',
            flags: [],
            discrepancy: false,
            allowedActions: [],
            nextArrival: {
              reservationId: 'rsv_01JGFJJZ005CBGNTWBEHGZATE0',
              eta: '12:30',
            },
          },
        ],
        ageMs: 1629,
        source: 'live',
        page: {
          total: 40,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiYXhiZUlBSDdkUkl2NjYxSiIsbnVsbF0.Knm3D8wO5sR5oAOPON_8j4FexyN4PkKkJq96_GHOPeI',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
  'staff.board.maintenance': {
    responses: {
      '200': {
        board: 'maintenance',
        propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
        businessDate: '2026-11-16',
        asOf: '2026-11-16T06:36:54.269Z',
        rows: [
          {
            id: 'mnt_01JGFJJZ00T6TS54MQZ3SFWYP0',
            version: 1,
            updatedAt: '2026-11-15T10:36:41.702Z',
            allowedActions: [],
            status: 'in_progress',
            severity: 'critical',
            category: 'electrical',
            title: 'ساکت‌ها برق ندارند',
            roomId: 'rmu_01JGFJJZ00474KVDBNNWFJZ040',
            roomNumber: '504',
            createdAt: '2026-11-15T10:36:41.702Z',
            blocksRoom: true,
          },
        ],
        ageMs: 274,
        source: 'live',
        page: {
          total: 6,
          nextCursor: null,
        },
        delta: {
          cursor:
            'WyIyMDI2LTExLTE2IiwiTjFzdUJDSTU1UzlJVmhvQyIsbnVsbF0.kGRPT9Lq5mvYx0KeaRweVaMxESYC8t1354N8d-dV8ak',
          full: true,
          removed: [],
        },
        degraded: [],
      },
    },
    parameters: {
      propertyId: 'ppt_01JGFJJZ00WB0S25BBN9F6BWT0',
    },
  },
} as const satisfies Readonly<Record<string, OperationExamples>>
