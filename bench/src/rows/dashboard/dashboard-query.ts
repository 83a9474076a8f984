/** What a web client would request from a GraphQL gateway: the content of our widgets. */
export const DASHBOARD_QUERY = `query Dashboard {
  dashboard {
    arrivals { counts }
    departures { counts }
    occupancy { nights { night rooms sold } }
    housekeeping { counts }
    maintenance { counts }
    balances { count due { folioId reservationId balance { amountMinor currency } } }
    alerts { alertId category severity raisedAt title }
    suggestions { suggestionId category severity title confidence expiresAt }
    rates { date cheapest { amountMinor currency } }
  }
}`
