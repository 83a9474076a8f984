import type { PropertyId, TenantId } from '@melmastoon/domain'
import { LRUCache } from 'lru-cache'
import { boardClassOf, type Operator } from '../access/operator.ts'
import { alertsTag } from '../alerts/alert-inbox.ts'
import { type BoardSource, rolesOf, sourceTag } from '../boards/board-key.ts'
import { suggestionsTag } from '../suggestions/suggestion-inbox.ts'
import { isVisible, WIDGET_SOURCES, WIDGETS, type WidgetName } from './widget.ts'

type Viewer = Pick<Operator, 'tenantId' | 'roles' | 'isLead'>

interface HotelKey {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
}

/** Where the data of a widget is cached. Frozen, so that the cache builds its key once. */
export interface WidgetAddress {
  readonly dims: Readonly<
    Record<'tenantId' | 'propertyId' | 'widget' | 'date' | 'audience', string>
  >
  readonly tags: readonly string[]
}

/** Of the widgets that the operator sees; the others are hidden. */
export type WidgetAddresses = Readonly<Partial<Record<WidgetName, WidgetAddress>>>

/** One for each hotel, date and set of roles. */
const ADDRESSES_MAX = 2_000
const known = new LRUCache<string, WidgetAddresses>({ max: ADDRESSES_MAX })

/** `date`: empty for widgets that show what is, whatever the date. */
export function addressesOf(viewer: Viewer, propertyId: PropertyId, date: string): WidgetAddresses {
  const name = `${viewer.tenantId} ${propertyId} ${date} ${rolesOf(viewer)}`
  const addresses = known.get(name) ?? createAddresses(viewer, propertyId, date)
  known.set(name, addresses)
  return addresses
}

function createAddresses(viewer: Viewer, propertyId: PropertyId, date: string): WidgetAddresses {
  const { tenantId } = viewer
  const seen = WIDGETS.filter((id) => isVisible(id, viewer))
  return Object.fromEntries(
    seen.map((widget) => {
      const audience = audienceOf(widget, viewer)
      const dims = Object.freeze({ tenantId, propertyId, widget, date, audience })
      return [widget, { dims, tags: WIDGET_TAGS[widget]({ tenantId, propertyId }) }]
    }),
  )
}

/**
 * Who shares the data of a widget: alerts are those for a role, suggestions those for a class. The
 * others show the same to everybody who has the right to see them, and that right is in the key.
 */
function audienceOf(id: WidgetName, viewer: Viewer): string {
  const boardClass = boardClassOf(viewer)
  if (id === 'suggestions') return boardClass
  if (id === 'alerts') return boardClass === 'mgmt' ? boardClass : viewer.roles.toSorted().join('+')
  const { operation, fields } = WIDGET_SOURCES[id]
  return fields === undefined ? operation : `${operation}+${fields}`
}

type TagsOf = (key: HotelKey) => readonly string[]

const ofLists =
  (...lists: readonly BoardSource[]): TagsOf =>
  (key) =>
    lists.map((source) => sourceTag(key, source))

export const ratesTag = ({ tenantId, propertyId }: HotelKey): string =>
  `rates:${tenantId}:${propertyId}`

/** A change invalidates the widgets that show it, and no others. */
const WIDGET_TAGS: Readonly<Record<WidgetName, TagsOf>> = {
  arrivals: ofLists('stays'),
  departures: ofLists('stays'),
  occupancy: ofLists('stays'),
  housekeeping: ofLists('rooms'),
  maintenance: ofLists('work-orders'),
  balances: ofLists('stays', 'folios'),
  alerts: ({ propertyId }) => [alertsTag(propertyId)],
  suggestions: ({ propertyId }) => [suggestionsTag(propertyId)],
  rates: (key) => [ratesTag(key)],
}
