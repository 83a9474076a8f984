import type { TenantId } from '@melmastoon/domain'
import type { Operator } from '../tenant/contract.ts'
import { ContractViolation } from './check.ts'
import type { Clients } from './clients.ts'

export interface TestOperator {
  readonly tenantId: TenantId
  readonly operator: Operator
}

const PAGES_MAX = 50

/** An active operator of any tenant; most tenants of a demo world have none. */
export async function findTestOperator({ tenant }: Clients): Promise<TestOperator> {
  let cursor: string | undefined
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { status: 'active' as const, limit: 200, ...(cursor !== undefined && { cursor }) }
    const { tenants, nextCursor } = await tenant.listTenants({ query })
    for (const { tenantId } of tenants) {
      const { operators } = await tenant.listOperators({ query: {} }, { tenantId })
      const operator = operators.find(({ status }) => status === 'active')
      if (operator !== undefined) return { tenantId, operator }
    }
    if (nextCursor === undefined) break
    cursor = nextCursor
  }
  throw new ContractViolation('no tenant has an active operator')
}
