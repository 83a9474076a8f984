import { newId } from '@melmastoon/domain'
import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'

export const notificationScript: Script = {
  upstream: 'notification',
  async run({ clients, testHotel }) {
    const { notification } = clients
    const { tenantId, property } = await testHotel()
    const { propertyId } = property
    const own = { tenantId }
    const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
    const content = {
      propertyId,
      category: 'system' as const,
      severity: 'info' as const,
      title: { key: 'alerts.system', params: { resourceId: propertyId } },
      audience: ['owner' as const],
      resourceKind: 'property' as const,
      resourceId: propertyId,
      deduplicationKey: newId('req'),
    }
    const raised = await notification.raise({ body: content }, own)
    const again = await notification.raise({ body: content }, own)
    if (again.alertId !== raised.alertId) {
      throw new ContractViolation('two open alerts have the same deduplication key')
    }
    const params = { alertId: raised.alertId }
    const { version } = await notification.getAlert({ params }, own)
    const body = { actor, expectedVersion: version, note: 'conformance' }
    await notification.acknowledge({ params, body }, own)
    const query = { state: 'open' as const, operatorId: actor.operatorId, limit: 200 }
    const { alerts } = await notification.listAlerts({ params: { propertyId }, query }, own)
    if (alerts.some(({ alertId }) => alertId === raised.alertId)) {
      throw new ContractViolation('an acknowledged alert is open for the same operator')
    }
  },
}
