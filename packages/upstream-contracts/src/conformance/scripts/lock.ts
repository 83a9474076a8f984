import { addDays, type IsoDateTime, newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const lockScript: Script = {
  upstream: 'lock',
  async run({ clients, testHotel }) {
    const { lock } = clients
    const { tenantId, property, stay } = await testHotel()
    const own = { tenantId }
    const params = { propertyId: property.propertyId }
    const { kinds } = await lock.getVendor({ params }, own)
    const { rooms } = await clients.property.listRooms({ params }, own)
    const [room, other = room] = rooms
    const [kind] = kinds
    if (room === undefined || other === undefined || kind === undefined) {
      throw new ContractViolation('a hotel without rooms')
    }
    const at = (date: string) => `${date}T10:00:00Z` as IsoDateTime
    const change = () => ({
      requestId: newId('req'),
      actor: { operatorId: newId('opr'), deviceId: newId('dev') },
      causationId: newId('int'),
    })
    const reservationId = newId('rsv')
    const body = {
      ...change(),
      ...params,
      reservationId,
      rooms: [room.roomId],
      validFrom: at(stay.checkIn),
      validUntil: at(stay.checkOut),
      kind,
    }
    const issued = await lock.issue({ body }, own)
    const { credential } = await lock.getRequest({ params: { requestId: body.requestId } }, own)
    if (issued.state !== 'succeeded' || credential === undefined) {
      throw new ContractViolation(`the key was not issued: ${issued.state}`)
    }
    const key = { params: { keyId: credential.keyId } }
    const validUntil = at(addDays(stay.checkOut, 1))
    await lock.extend({ ...key, body: { ...change(), validUntil } }, own)
    await lock.rebind({ ...key, body: { ...change(), rooms: [other.roomId] } }, own)
    await lock.revoke({ ...key, body: { ...change(), reason: 'checkout' } }, own)
    await lock.getCredential(key, own)
    await lock.listCredentials({ params, query: { reservationId, state: 'revoked' } }, own)
  },
}
