import type { PropertyId } from '@melmastoon/domain'
import type { Alert } from '@melmastoon/upstream-contracts/notification'

type Template = Pick<Alert, 'category' | 'severity' | 'audience'>

const TEMPLATES = [
  {
    category: 'late_arrival',
    severity: 'info',
    audience: ['front_desk', 'general_manager'],
  },
  {
    category: 'balance_due',
    severity: 'warning',
    audience: ['front_desk', 'general_manager', 'owner'],
  },
  {
    category: 'room_not_ready',
    severity: 'warning',
    audience: ['front_desk', 'housekeeping', 'general_manager'],
  },
  {
    category: 'lock_low_battery',
    severity: 'warning',
    audience: ['maintenance', 'front_desk', 'general_manager'],
  },
  {
    category: 'maintenance_critical',
    severity: 'critical',
    audience: ['maintenance', 'general_manager', 'owner'],
  },
  { category: 'device_offline', severity: 'warning', audience: ['general_manager', 'owner'] },
] as const satisfies readonly Template[]

export const DEMO_CATEGORIES = TEMPLATES.map(({ category }) => category)
export type DemoCategory = (typeof TEMPLATES)[number]['category']

type Subject = Pick<Alert, 'resourceKind' | 'resourceId'>

/** An alert as a service of the platform would raise it, about this resource. */
export function demoAlert(
  category: DemoCategory,
  { propertyId, subject }: { readonly propertyId: PropertyId; readonly subject?: Subject },
) {
  const template = TEMPLATES.find((known) => known.category === category)
  if (template === undefined) throw new TypeError(`unknown demo alert ${category}`)
  const about: Subject = subject ?? { resourceKind: 'property', resourceId: propertyId }
  return {
    propertyId,
    category: template.category,
    severity: template.severity,
    audience: [...template.audience],
    title: { key: `alerts.${category}`, params: { resourceId: about.resourceId } },
    ...about,
  }
}
