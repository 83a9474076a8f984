import { type Statement, sql } from '@melmastoon/chassis/db'

export interface PhoneRefRow {
  readonly phone_ref: string
  readonly behaves_as: string
}

/** The same number has the same reference. */
export function insertPhoneRef(tenant: string, row: PhoneRefRow): Statement<unknown> {
  return sql`
    insert into sandbox.payment_phone_ref (tenant_id, phone_ref, behaves_as)
    values (${tenant}::uuid, ${row.phone_ref}, ${row.behaves_as})
    on conflict (tenant_id, phone_ref) do nothing`
}

export function findPhoneRef(tenant: string, phoneRef: string): Statement<PhoneRefRow> {
  return sql<PhoneRefRow>`
    select phone_ref, behaves_as from sandbox.payment_phone_ref
    where tenant_id = ${tenant}::uuid and phone_ref = ${phoneRef}`
}
