import Fastify from 'fastify'
import { GraphQLScalarType } from 'graphql'
import mercurius from 'mercurius'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { createReader, createWidgets } from './compose-dashboard.mjs'

const TYPES = `
  scalar JSON
  type Money { amountMinor: Float! currency: String! }
  type Counted { counts: JSON! }
  type Night { night: String! rooms: Int! sold: Int! }
  type Occupancy { nights: [Night!]! }
  type Due { folioId: ID! reservationId: ID! balance: Money! }
  type Balances { count: Int! due: [Due!]! }
  type Alert { alertId: ID! category: String! severity: String! raisedAt: String! title: JSON! }
  type Suggestion {
    suggestionId: ID! category: String! severity: String! title: JSON!
    confidence: Float! expiresAt: String!
  }
  type Rate { date: String! cheapest: Money }
  type Dashboard {
    arrivals: Counted! departures: Counted! occupancy: Occupancy! housekeeping: Counted!
    maintenance: Counted! balances: Balances! alerts: [Alert!]! suggestions: [Suggestion!]!
    rates: [Rate!]!
  }
  type Query { dashboard: Dashboard! }
`

/** Mercurius with its compiler: a resolver per widget, departures read once per query. */
async function start(input) {
  const widgets = createWidgets(input, createReader(input))
  const app = Fastify()
  await app.register(mercurius, {
    schema: TYPES,
    jit: 1,
    resolvers: {
      JSON: new GraphQLScalarType({ name: 'JSON', serialize: (value) => value }),
      Query: { dashboard: () => ({ departing: widgets.departing() }) },
      Dashboard: {
        arrivals: widgets.arrivals,
        departures: async ({ departing }) => widgets.departures(await departing),
        occupancy: widgets.occupancy,
        housekeeping: widgets.housekeeping,
        maintenance: widgets.maintenance,
        balances: async ({ departing }) => widgets.balances(await departing),
        alerts: widgets.alerts,
        suggestions: widgets.suggestions,
        rates: widgets.rates,
      },
    },
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
