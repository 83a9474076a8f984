import type { Script } from '../clients.ts'

export const propertyScript: Script = {
  upstream: 'property',
  async run({ clients, testHotel }) {
    const { property } = clients
    const { tenantId, property: hotel } = await testHotel()
    const params = { propertyId: hotel.propertyId }
    await property.getProperty({ params })
    await property.summaries({ body: { propertyIds: [hotel.propertyId] } })
    await property.listByTenant({ query: { limit: 1 } }, { tenantId })
    await property.listRooms({ params }, { tenantId })
    await property.updateProperty({ params, body: { name: hotel.name } }, { tenantId })
  },
}
