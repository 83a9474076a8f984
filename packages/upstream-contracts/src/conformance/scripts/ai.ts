import { newId, type TenantId } from '@melmastoon/domain'
import type { Suggestion } from '../../ai/contract.ts'
import { ContractViolation } from '../check.ts'
import type { Clients, Script } from '../clients.ts'

const TENANTS_MAX = 100

export const aiScript: Script = {
  upstream: 'ai',
  async run({ clients }) {
    const { ai } = clients
    const { tenantId, suggestion } = await findOpenSuggestion(clients)
    const own = { tenantId }
    const params = { suggestionId: suggestion.suggestionId }
    await ai.getSuggestion({ params }, own)
    const actor = { operatorId: newId('opr'), deviceId: newId('dev') }
    const body = { decisionId: newId('sdl'), outcome: 'rejected' as const, actor }
    const decided = await ai.recordDecision({ params, body }, own)
    const repeated = await ai.recordDecision({ params, body }, own)
    if (repeated.version !== decided.version) {
      throw new ContractViolation('the repetition of a decision changed the suggestion')
    }
  },
}

/** Suggestions cannot be made by a caller: some property must have one. */
async function findOpenSuggestion(
  clients: Clients,
): Promise<{ tenantId: TenantId; suggestion: Suggestion }> {
  const { tenants } = await clients.tenant.listTenants({
    query: { status: 'active', limit: TENANTS_MAX },
  })
  for (const { tenantId } of tenants) {
    const { properties } = await clients.property.listByTenant({ query: {} }, { tenantId })
    for (const { propertyId } of properties) {
      const query = { state: 'proposed' as const, limit: 1 }
      const listed = { params: { propertyId }, query }
      const { suggestions } = await clients.ai.listSuggestions(listed, { tenantId })
      const [suggestion] = suggestions
      if (suggestion !== undefined) return { tenantId, suggestion }
    }
  }
  throw new ContractViolation(`none of ${tenants.length} tenants has an open suggestion`)
}
