import { Pool } from 'undici'
import { serviceHeaders } from './compose-page.mjs'

/** Reads one of the calls of a dashboard, parsed. */
export function createReader({ url, secret, tenantId }) {
  const pool = new Pool(url, { connections: 64 })
  const headers = { ...serviceHeaders(secret), 'x-tenant-id': tenantId }
  return async (path) => {
    const signal = AbortSignal.timeout(2_000)
    const response = await pool.request({ method: 'GET', path, headers, signal })
    if (response.statusCode !== 200) throw new Error(`${path}: ${response.statusCode}`)
    return response.body.json()
  }
}

/** The content of each widget: the same for every alternative. */
export function createWidgets({ calls }, read) {
  const readStays = async (view) => (await read(calls[view])).stays
  return {
    arrivals: async () => {
      const stays = await readStays('arrivals')
      return {
        counts: {
          expected: count(stays, (stay) => stay.status === 'confirmed'),
          arrived: count(stays, (stay) => stay.status !== 'confirmed'),
          late: count(stays, (stay) => stay.flags.includes('overdue_arrival')),
          unassigned: count(stays, (stay) => stay.flags.includes('room_unassigned')),
        },
      }
    },
    departures: (stays) => ({
      counts: {
        expected: count(stays, (stay) => stay.status !== 'checked_out'),
        departed: count(stays, (stay) => stay.status === 'checked_out'),
        overdue: count(stays, (stay) => stay.flags.includes('overdue_departure')),
      },
    }),
    departing: () => readStays('departures'),
    occupancy: async () => {
      const { nights } = await read(calls.occupancy)
      return { nights: nights.map(({ night, rooms, sold }) => ({ night, rooms, sold })) }
    },
    housekeeping: async () => {
      const { rooms } = await read(calls.rooms)
      const ofCondition = (condition) => count(rooms, (room) => room.condition === condition)
      return {
        counts: {
          clean: ofCondition('clean'),
          dirty: ofCondition('dirty'),
          cleaning: ofCondition('cleaning'),
          inspected: ofCondition('inspected'),
          outOfOrder: count(rooms, (room) => room.flags.includes('out_of_order')),
          discrepancies: count(rooms, (room) => room.discrepancy),
        },
      }
    },
    maintenance: async () => {
      const { workOrders } = await read(calls.workOrders)
      return {
        counts: {
          open: count(workOrders, (order) => order.status !== 'resolved'),
          critical: count(workOrders, (order) => order.severity === 'critical'),
          toVerify: count(workOrders, (order) => order.status === 'resolved'),
          blockingRooms: count(workOrders, (order) => order.blocksRoom),
        },
      }
    },
    balances: async (stays) => {
      const ids = stays.map((stay) => stay.reservationId).join(',')
      const { folios } = await read(`${calls.folios}${ids}`)
      const due = folios
        .filter(({ balance }) => BigInt(balance.amountMicro) > 0n)
        .toSorted((a, b) => Number(BigInt(b.balance.amountMicro) - BigInt(a.balance.amountMicro)))
      return {
        count: due.length,
        due: due.slice(0, 10).map(({ folioId, reservationId, balance }) => ({
          folioId,
          reservationId,
          balance: toMinor(balance),
        })),
      }
    },
    alerts: async () => {
      const { alerts } = await read(calls.alerts)
      return alerts.map(({ alertId, category, severity, raisedAt, title }) => ({
        alertId,
        category,
        severity,
        raisedAt,
        title,
      }))
    },
    suggestions: async () => {
      const { suggestions } = await read(calls.suggestions)
      return suggestions.map(({ suggestionId, category, severity, title, provenance }) => ({
        suggestionId,
        category,
        severity,
        title,
        confidence: provenance.confidence,
        expiresAt: provenance.expiresAt,
      }))
    },
    rates: async () => {
      const { days } = await read(calls.rates)
      return days.map(({ date, cheapest }) => ({
        date,
        cheapest: cheapest ? toMinor(cheapest) : null,
      }))
    },
  }
}

function count(items, test) {
  return items.filter(test).length
}

function toMinor({ amountMicro, currency }) {
  return { amountMinor: Number(BigInt(amountMicro) / 10_000n), currency }
}
