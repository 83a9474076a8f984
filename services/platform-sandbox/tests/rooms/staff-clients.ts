import { newId } from '@melmastoon/domain'
import { housekeepingContract } from '@melmastoon/upstream-contracts/housekeeping'
import { maintenanceContract } from '@melmastoon/upstream-contracts/maintenance'
import type { Hotel } from '../no-oversell/hotel.ts'
import { clientFor, type RunningSandbox } from '../start-sandbox.ts'

export function roomClients({ url }: Pick<RunningSandbox, 'url'>, scenario?: string) {
  const options = scenario === undefined ? {} : { scenario }
  return {
    housekeeping: clientFor(housekeepingContract, url, options),
    maintenance: clientFor(maintenanceContract, url, options),
  }
}

/** A mutation of its own: a new idempotency key. */
export const once = ({ tenantId }: Pick<Hotel, 'tenantId'>) => ({
  tenantId,
  idempotencyKey: newId('req'),
})

export function roomOf({ roomIds }: Hotel, index = 0) {
  const roomId = roomIds[index]
  if (roomId === undefined) throw new TypeError(`no room ${index}`)
  return roomId
}

/** The codes of the rejected calls, and the number of the others. */
export async function countOutcomes(calls: readonly Promise<unknown>[]) {
  const settled = await Promise.allSettled(calls)
  const rejected = settled.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  const codes = rejected.map((error: unknown) =>
    typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : 'none',
  )
  return { accepted: settled.length - rejected.length, codes: new Set(codes) }
}
