import type { Script } from '../clients.ts'
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
  },
}
