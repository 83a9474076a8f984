import { postToControlRoom } from '../shared/post-to-control-room.ts'
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
  const path = `tenants/${tenantId}/properties/${propertyId}/${event}`
  await postToControlRoom(sandboxUrl, path, { category })
}
