import { ContractViolation } from '../check.ts'
import type { Script } from '../clients.ts'
import { makeQuote } from './test-data.ts'

export const pricingScript: Script = {
  upstream: 'pricing',
  async run({ clients, testHotel }) {
    const { pricing } = clients
    const { tenantId, property, stay, currency } = await testHotel()
    const { propertyId } = property
    const occupancy = { adults: 2, children: 0, rooms: 1 }
    await pricing.preview({ body: { propertyIds: [propertyId], stay, occupancy, currency } })
    const query = { from: stay.checkIn, nights: 7, currency }
    await pricing.calendar({ params: { propertyId }, query })
    await pricing.cheapestRates({ body: { propertyId, stay, occupancy, currency } }, { tenantId })
    const { quoteId } = await makeQuote(clients, await testHotel())
    await pricing.getQuote({ params: { quoteId } }, { tenantId })
    await pricing.recheckQuote({ params: { quoteId } }, { tenantId })
    const { ratePlans } = await pricing.listRatePlans({ query: { propertyId } }, { tenantId })
    const plan = ratePlans.find(({ status }) => status === 'published')
    if (plan === undefined) throw new ContractViolation('a priced hotel without a rate plan')
    const params = { ratePlanId: plan.ratePlanId }
    await pricing.changePrices({ params, body: { basisPoints: 0 } }, { tenantId })
    await pricing.latestFx({})
  },
}
