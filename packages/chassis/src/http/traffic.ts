import type { FastifyInstance } from 'fastify'

declare module 'fastify' {
  interface FastifyInstance {
    readonly traffic: Traffic
  }
}

/** How much is going on, and whether it should come to an end. Shared by hooks and shutdown. */
export interface Traffic {
  inFlight: number
  /** Not ready any more, and every answer asks its client to leave the connection. */
  draining: boolean
}

export function registerTraffic(app: FastifyInstance): Traffic {
  const traffic: Traffic = { inFlight: 0, draining: false }
  app.decorate('traffic', traffic)
  return traffic
}
