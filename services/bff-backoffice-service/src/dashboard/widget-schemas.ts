import { named } from '@melmastoon/upstream-contracts'
import { Suggestion } from '@melmastoon/upstream-contracts/ai'
import { Alert } from '@melmastoon/upstream-contracts/notification'
import { Type } from 'typebox'

const Money = Type.Object({ amountMinor: Type.Integer(), currency: Type.String() })
const date = () => Type.String({ format: 'date' })
const instant = () => Type.String({ format: 'date-time' })
const count = () => Type.Integer({ minimum: 0 })

const CountsData = named(
  'CountsWidgetData',
  Type.Object(
    { counts: Type.Record(Type.String(), count()) },
    { description: 'Of `arrivals`, `departures`, `housekeeping` and `maintenance`, by state' },
  ),
)

const OccupancyData = named(
  'OccupancyWidgetData',
  Type.Object(
    { nights: Type.Array(Type.Object({ night: date(), rooms: count(), sold: count() })) },
    { description: 'Of `occupancy`: two weeks' },
  ),
)

const BalancesData = named(
  'BalancesWidgetData',
  Type.Object(
    {
      count: count(),
      due: Type.Array(
        Type.Object({ folioId: Type.String(), reservationId: Type.String(), balance: Money }),
      ),
    },
    { description: 'Of `balances`: guests who leave today and owe something' },
  ),
)

const AlertsData = named(
  'AlertsWidgetData',
  Type.Object(
    {
      alerts: Type.Array(
        Type.Object({
          alertId: Type.String(),
          category: Type.String(),
          severity: Type.String(),
          raisedAt: instant(),
          title: Alert.properties.title,
        }),
      ),
    },
    { description: 'Of `alerts`: the newest open ones for the roles of the operator' },
  ),
)

const SuggestionsData = named(
  'SuggestionsWidgetData',
  Type.Object(
    {
      suggestions: Type.Array(
        Type.Object({
          suggestionId: Type.String(),
          category: Type.String(),
          severity: Type.String(),
          title: Suggestion.properties.title,
          confidence: Type.Number(),
          expiresAt: instant(),
        }),
      ),
    },
    { description: 'Of `suggestions`: those that the role decides' },
  ),
)

const RatesData = named(
  'RatesWidgetData',
  Type.Object(
    {
      days: Type.Array(Type.Object({ date: date(), cheapest: Type.Union([Money, Type.Null()]) })),
    },
    { description: 'Of `rates`: the cheapest price of each night; null: none is sold' },
  ),
)

/** `data` of a widget, by what it shows. */
export const WIDGET_DATA = [
  CountsData,
  OccupancyData,
  BalancesData,
  AlertsData,
  SuggestionsData,
  RatesData,
] as const
