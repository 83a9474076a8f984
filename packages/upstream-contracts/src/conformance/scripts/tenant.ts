import { newId } from '@melmastoon/domain'
import type { Clients, Script } from '../clients.ts'
import { findTestOperator } from '../find-test-operator.ts'
import { makeTenant } from './test-data.ts'

export const tenantScript: Script = {
  upstream: 'tenant',
  async run({ clients }) {
    const { tenant } = clients
    const { tenantId, slug } = await makeTenant(clients)
    const params = { tenantId }
    const own = { tenantId }
    await tenant.getTenant({ params })
    await tenant.resolveSlug({ params: { slug } })
    await tenant.listTenants({ query: { q: slug } })
    const body = { expectedVersion: 1, changes: { checkOutTime: '11:00' } }
    await tenant.updateConfig({ params, body }, own)
    const domain = `${slug}.example`
    await tenant.addDomain({ params, body: { domain } }, own)
    await tenant.resolveDomain({ params: { domain } })
    await tenant.suspend({ params, body: { reasonCode: 'conformance' } }, own)
    await tenant.reactivate({ params, body: {} }, own)
    // The tenant must not appear in lists of bookable hotels.
    await tenant.suspend({ params, body: { reasonCode: 'conformance' } }, own)
    await changeOperator(clients)
  },
}

/** Changes that are undone, or that only the operator sees. */
async function changeOperator(clients: Clients): Promise<void> {
  const { tenant } = clients
  const { tenantId, operator } = await findTestOperator(clients)
  const { operatorId, roles, isLead } = operator
  const own = { tenantId }
  const params = { operatorId }
  await tenant.listOperators({ query: { ids: operatorId } }, own)
  const { version } = await tenant.getOperator({ params }, own)
  const actor = { operatorId, deviceId: newId('dev') }
  const changed = await tenant.setOperatorRole(
    { params, body: { roles, isLead: !isLead, expectedVersion: version, actor } },
    own,
  )
  const back = { roles, isLead, expectedVersion: changed.version, actor }
  await tenant.setOperatorRole({ params, body: back }, own)
  const query = { propertyId: newId('ppt') }
  const { version: expectedVersion } = await tenant.getOperatorPreferences({ params, query }, own)
  const body = { payload: { density: 'compact' }, expectedVersion, actor }
  await tenant.putOperatorPreferences({ params, query, body }, own)
}
