import { type BackofficeContext, backofficeService } from '@melmastoon/bff-backoffice-service'
import { createService, type Service } from '@melmastoon/chassis/service'
import { newId, type TenantId } from '@melmastoon/domain'
import { collectedMemory } from '../harness/collected-memory.ts'
import { serveCommands } from '../harness/serve-commands.ts'
import { nextRequest, withoutHits } from './without-hits.ts'

export interface StartBackoffice {
  /** False: every request finds all caches empty. */
  readonly cached?: boolean
}

const uncachedService: typeof backofficeService = {
  ...backofficeService,
  createContext(base, overrides): BackofficeContext {
    const ctx = backofficeService.createContext(base, overrides)
    const { dashboards, boards, stays, folios, rooms, workOrders, roomKeys } = ctx
    return {
      ...ctx,
      dashboards: withoutHits(dashboards),
      boards: withoutHits(boards),
      stays: withoutHits(stays),
      folios: withoutHits(folios),
      rooms: withoutHits(rooms),
      workOrders: withoutHits(workOrders),
      roomKeys: withoutHits(roomKeys),
    }
  },
  routes(app, ctx) {
    app.addHook('onRequest', (_request, _reply, done) => nextRequest(done))
    return backofficeService.routes(app, ctx)
  },
}

/** On a busy machine the first calls take longer than the limits of production. */
const PATIENT = {
  widgetMs: 3_000,
  upstreamMs: {
    iam: 5_000,
    tenant: 5_000,
    property: 5_000,
    pricing: 5_000,
    reservation: 5_000,
    housekeeping: 5_000,
    maintenance: 5_000,
    billing: 5_000,
    notification: 5_000,
    ai: 5_000,
  },
}

let started: Service<BackofficeContext> | null = null

async function start({ cached = true }: StartBackoffice) {
  const definition = cached ? backofficeService : uncachedService
  started = await createService(definition, process.env, PATIENT)
  const { url, internalUrl } = await started.start()
  return { url, internalUrl }
}

/** One change that every device of the desk receives. */
async function broadcast({ tenantId }: { readonly tenantId: TenantId }): Promise<void> {
  const event = { channel: 'arrivals', propertyId: null, type: 'reservation.confirmed' } as const
  await started?.ctx.streams.publish(tenantId, { ...event, data: { id: newId('rsv'), version: 2 } })
}

serveCommands({ start, broadcast, memory: collectedMemory })
