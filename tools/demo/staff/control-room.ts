import { DemoFailure } from '../guest/demo.ts'
import type { StaffDemo } from './demo.ts'
import type { StaffMember } from './staff-member.ts'

type Event = 'alerts/raise' | 'suggestions/propose'

/** What the platform would do by itself some time: raise an alert, propose something. */
export async function letHappen(
  { sandboxUrl }: StaffDemo,
  { device, propertyId }: StaffMember,
  { event, category }: { readonly event: Event; readonly category: string },
): Promise<void> {
  const { tenantId } = device.tokens
  const path = `/admin/api/tenants/${tenantId}/properties/${propertyId}/${event}`
  const response = await fetch(new URL(path, sandboxUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ category }),
  })
  if (!response.ok) throw new DemoFailure(`${path}: ${response.status} ${await response.text()}`)
}
