import type { StreamMessage } from '@melmastoon/client/source'
import type { components } from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { expectThat } from '../shared/demo-failure.ts'
import { letHappen } from './control-room.ts'
import type { StaffDemo } from './demo.ts'
import type { LiveEvents } from './live-events.ts'
import { rejectionOf, type StaffMember, V1 } from './staff-member.ts'

type Suggestion = components['schemas']['SuggestionInboxEntry']

/** The event comes after the list has been invalidated. */
export async function acknowledgeAlert(
  demo: StaffDemo,
  desk: StaffMember,
  events: LiveEvents,
): Promise<void> {
  const { say } = demo
  await letHappen(demo, desk, { event: 'alerts/raise', category: 'late_arrival' })
  await events.next(({ event, data }) => event === 'alerts' && isNew(data), 'alerts')
  const query = { propertyId: desk.propertyId, state: 'open', limit: 50 } as const
  const { data } = await desk.api.GET(`${V1}/alerts`, { params: { query } })
  const [alert] = data.rows
  expectThat(alert !== undefined, 'there is no open alert: npm start -- --fresh')
  const { alertId } = alert
  const acknowledged = await desk.api.POST(`${V1}/alerts/{alertId}/acknowledge`, {
    params: { path: { alertId } },
    body: { note: 'Seen at the desk' },
  })
  say.step(`Acknowledge one of ${data.page.total} alerts`)
  say.detail(`${alert.severity} ${alert.category}: ${acknowledged.data.alert.state}`)
}

/** The operator decides; the model only proposes. */
export async function modifySuggestion(
  demo: StaffDemo,
  staff: StaffMember,
  events: LiveEvents,
): Promise<void> {
  const { say } = demo
  const category = 'overbooking_warning'
  await letHappen(demo, staff, { event: 'suggestions/propose', category })
  await events.next(({ event, data }) => event === 'ai' && isNew(data), 'ai')
  const query = { propertyId: staff.propertyId, state: 'proposed', limit: 100 } as const
  const { data } = await staff.api.GET(`${V1}/ai/suggestions`, { params: { query } })
  const found = data.rows.map((row) => ({ row, delta: deltaFor(row.proposal) }))
  const [chosen] = found.filter(({ delta }) => delta !== null)
  expectThat(chosen?.delta != null, 'there is no suggestion to modify: npm start -- --fresh')
  const { row, delta } = chosen
  const path = { suggestionId: row.suggestionId }
  const body = { outcome: 'modified' as const, modifiedDelta: delta }
  const decide = `${V1}/ai/suggestions/{suggestionId}/decide` as const
  const { data: decided } = await staff.api.POST(decide, { params: { path }, body })
  say.step(`Modify one of ${data.page.total} suggestions`)
  const { capability, confidence } = row.provenance
  say.detail(`${row.category} by ${capability} (confidence ${confidence})`)
  say.detail(`${decided.suggestion.state}: ${JSON.stringify(decided.decision.modifiedDelta)}`)
  const other = { outcome: 'rejected' as const }
  const code = await rejectionOf(staff.api.POST(decide, { params: { path }, body: other }))
  say.detail(`another decision about it: ${code}`)
}

const isNew = ({ type }: StreamMessage['data']) => /raised|proposed/.test(String(type))

type Proposal = Suggestion['proposal']

/** Null: this kind is not modified here. */
function deltaFor(proposal: Proposal): Record<string, unknown> | null {
  if (proposal.kind === 'guest_special_handling') return { handlings: ['welcome_amenity'] }
  if (proposal.kind !== 'overbooking_warning') return null
  return { action: proposal.action === 'upgrade' ? 'relocate' : 'upgrade' }
}
