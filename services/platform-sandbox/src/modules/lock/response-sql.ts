import { type Statement, sql } from '@melmastoon/chassis/db'
import type { LockVendor } from '@melmastoon/upstream-contracts/lock'
import type { VendorResponse } from './vendors/vendor.ts'

export const RESPONSES_TOPIC = 'lock-responses'

export interface ResponseRef {
  readonly tenant: string
  readonly response: string
}

export interface NewResponse {
  readonly response_id: string
  readonly sequence: number
  readonly response: VendorResponse
  readonly awaits_gateway: boolean
  readonly after_ms: number
}

export function insertResponses(
  { tenant, request }: { readonly tenant: string; readonly request: string },
  rows: readonly NewResponse[],
): Statement<unknown> {
  return sql`
    insert into sandbox.lock_response
      (tenant_id, response_id, request_id, sequence, response, awaits_gateway, due_at)
    select ${tenant}::uuid, n.response_id, ${request}, n.sequence, n.response, n.awaits_gateway,
      clock_timestamp() + make_interval(secs => n.after_ms / 1000)
    from json_to_recordset(${JSON.stringify(rows)}::json) as n (response_id uuid, sequence int,
      response jsonb, awaits_gateway boolean, after_ms float8)`.announcing(RESPONSES_TOPIC)
}

export interface TakenResponse {
  readonly request_id: string
  readonly sequence: number
  readonly response: VendorResponse
}

/** No row when it was delivered before: a response has one effect. */
export function takeResponse({ tenant, response }: ResponseRef): Statement<TakenResponse> {
  return sql<TakenResponse>`
    update sandbox.lock_response set delivered_at = clock_timestamp()
    where tenant_id = ${tenant}::uuid and response_id = ${response}::uuid
      and delivered_at is null
    returning request_id, sequence, response`
}

/** Of all tenants. A caller may wait for some of them; each is delivered once. */
export function selectDueResponses(rows: number): Statement<ResponseRef> {
  return sql<ResponseRef>`
    select tenant_id as tenant, response_id as response from sandbox.lock_response
    where delivered_at is null and due_at <= clock_timestamp()
    order by due_at, sequence limit ${rows}`
}

/** The gateway is online again: what waited for it succeeds now. */
export function releaseAwaiting(
  { tenant, property }: { readonly tenant: string; readonly property: string },
  { vendor, done }: { readonly vendor: LockVendor; readonly done: VendorResponse },
): Statement<unknown> {
  return sql`
    update sandbox.lock_response p set response = ${done}::jsonb, due_at = clock_timestamp()
    from sandbox.lock_request r
    where p.tenant_id = ${tenant}::uuid and p.awaits_gateway and p.delivered_at is null
      and r.tenant_id = p.tenant_id and r.request_id = p.request_id
      and r.property_id = ${property}::uuid and r.vendor = ${vendor}`.announcing(RESPONSES_TOPIC)
}
