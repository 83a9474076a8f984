import Fastify from 'fastify'
import { serveCommands } from '../src/harness/serve-commands.ts'
import { createReader, createWidgets } from './compose-dashboard.mjs'

/** A hand-written gateway: Fastify, undici, the nine calls, one object; no cache, no credentials. */
async function start(input) {
  const widgets = createWidgets(input, createReader(input))
  const app = Fastify()
  app.get('/dashboard', async () => {
    const departing = widgets.departing()
    const [arrivals, departures, occupancy, housekeeping, maintenance, balances, ...lists] =
      await Promise.all([
        widgets.arrivals(),
        departing.then(widgets.departures),
        widgets.occupancy(),
        widgets.housekeeping(),
        widgets.maintenance(),
        departing.then(widgets.balances),
        widgets.alerts(),
        widgets.suggestions(),
        widgets.rates(),
      ])
    const [alerts, suggestions, rates] = lists
    const desk = { arrivals, departures, occupancy, balances }
    return { ...desk, housekeeping, maintenance, alerts, suggestions, rates }
  })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app.server.address().port
}

serveCommands({ start })
