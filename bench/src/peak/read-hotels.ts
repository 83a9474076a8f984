import type { Pool } from 'undici'
import type { SigningDevice } from '../staff/signing-device.ts'
import { type StaffRequest, sendAs } from '../staff/staff-client.ts'
import type { Hotel } from './hotel-state.ts'

interface Stays {
  readonly rows: readonly {
    readonly id: string
    readonly folioId?: string
    readonly folioStatus?: string
    readonly balance?: { readonly currency: string }
    readonly rooms: readonly unknown[]
  }[]
}

interface Rooms {
  readonly rows: readonly { readonly id: string; readonly flags: readonly string[] }[]
}

interface Alerts {
  readonly rows: readonly { readonly alertId?: string; readonly id?: string }[]
}

const ORDERS_MAX = 20

/** What a manager of the hotel sees: the resources that the load names. */
export async function readHotel(
  manager: SigningDevice,
  pool: Pool,
  propertyId: string,
): Promise<Hotel> {
  const read = async <T>(path: string): Promise<T> =>
    JSON.parse(await readText(manager, pool, `${path}?propertyId=${propertyId}`)) as T
  const [stays, rooms, alerts] = [
    await read<Stays>('/in-house'),
    await read<Rooms>('/housekeeping'),
    await read<Alerts>('/alerts'),
  ]
  return {
    propertyId,
    folios: stays.rows.flatMap(({ folioId, folioStatus, balance }) =>
      folioId !== undefined && folioStatus === 'open' && balance !== undefined
        ? [{ folioId, currency: balance.currency }]
        : [],
    ),
    stays: stays.rows.filter((stay) => stay.rooms.length > 0).map(({ id }) => id),
    alerts: alerts.rows.flatMap(({ alertId, id }) => alertId ?? id ?? []),
    orders: rooms.rows.slice(0, ORDERS_MAX).map(({ id: roomId }) => ({
      roomId,
      workOrderId: null,
      next: 'create',
      isBusy: false,
    })),
  }
}

/** The properties of a manager are those of the tenant. */
export async function readProperties(manager: SigningDevice, pool: Pool): Promise<string[]> {
  const text = await readText(manager, pool, '/session')
  const { properties } = JSON.parse(text) as { readonly properties: string[] | '*' }
  if (properties === '*') throw new Error('the properties are not listed')
  return properties
}

const TRIES_MAX = 10

/** The first requests of a started stack may exceed the time limits of its upstreams. */
async function readText(device: SigningDevice, pool: Pool, path: string): Promise<string> {
  const request: StaffRequest = { method: 'GET', path }
  for (let tries = 1; ; tries += 1) {
    const { status, body } = await sendAs(device, pool, request)
    if (status === 200) return body.toString()
    if (tries === TRIES_MAX) throw new Error(`${path}: ${status} ${body.toString()}`)
  }
}
