import { type Statement, sql } from '@melmastoon/chassis/db'

export function findProperty(tenant: string, property: string): Statement<{ revision: number }> {
  return sql<{ revision: number }>`
    select revision from sandbox.pricing_property
    where property_id = ${property}::uuid and tenant_id = ${tenant}::uuid`
}
