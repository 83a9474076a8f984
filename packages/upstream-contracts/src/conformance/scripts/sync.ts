import { newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const syncScript: Script = {
  upstream: 'sync',
  async run({ clients, testHotel }) {
    const { sync } = clients
    const { tenantId } = await testHotel()
    const own = { tenantId }
    const deviceId = newId('dev')
    const params = { deviceId }
    const actor = { operatorId: newId('opr'), deviceId }
    const first = { expectedVersion: 0, pullCursor: 'conformance.1', actor }
    await sync.advanceCursor({ params, body: first }, own)
    const { version } = await sync.getCursor({ params }, own)
    const next = { expectedVersion: version, pushAck: 'conformance.2', actor }
    const advanced = await sync.advanceCursor({ params, body: next }, own)
    if (advanced.pullCursor !== first.pullCursor) {
      throw new ContractViolation('an advance changed a position that it did not contain')
    }
  },
}
