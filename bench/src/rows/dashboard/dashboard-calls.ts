import { addDays, type IsoDate } from '@melmastoon/domain'

export interface DashboardHotel {
  readonly tenantId: string
  readonly propertyId: string
  readonly date: IsoDate
}

/** Paths of the calls behind a dashboard, by widget; those of `folios` depend on departures. */
export type DashboardCalls = Readonly<Record<string, string>>

const NIGHTS = 14

/** What the dashboard of a desk clerk shows, and every alternative requests. */
export function dashboardCalls({ propertyId, date }: DashboardHotel): DashboardCalls {
  const at = (name: string, path: string) => `/upstreams/${name}/api/v1${path}`
  const property = `/properties/${propertyId}`
  const stays = (view: string) =>
    at('reservation', `${property}/stays?view=${view}&date=${date}&limit=200`)
  return {
    arrivals: stays('arrivals'),
    departures: stays('departures'),
    occupancy: at('reservation', `${property}/occupancy?from=${date}&to=${addDays(date, NIGHTS)}`),
    rooms: at('housekeeping', `${property}/rooms`),
    workOrders: at('maintenance', `${property}/work-orders?active=true&limit=200`),
    alerts: at('notification', `${property}/alerts?state=open&role=front_desk&limit=10`),
    suggestions: at('ai', `/ai${property}/suggestions?state=proposed&limit=10&class=desk`),
    rates: at('pricing', `/pricing${property}/calendar?from=${date}&nights=${NIGHTS}&currency=USD`),
    folios: at('billing', `${property}/folios?reservationIds=`),
  }
}
