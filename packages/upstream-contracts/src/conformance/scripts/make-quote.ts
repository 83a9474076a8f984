import type { Clients } from '../clients.ts'
import type { Scene } from '../find-scene.ts'

export function makeQuote({ pricing }: Clients, scene: Scene) {
  const { tenantId, property, roomTypeId, stay } = scene
  const body = {
    propertyId: property.propertyId,
    rooms: [{ roomTypeId, quantity: 1 }],
    stay,
    occupancy: { adults: 1, children: 0, rooms: 1 },
  }
  return pricing.createQuote({ body }, { tenantId })
}
