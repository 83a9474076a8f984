import { setImmediate } from 'node:timers/promises'
import { type BackofficeContext, backofficeService } from '@melmastoon/bff-backoffice-service'
import { createService } from '@melmastoon/chassis/service'
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

async function start({ cached = true }: StartBackoffice) {
  const definition = cached ? backofficeService : uncachedService
  const service = await createService(definition, process.env)
  const { url, internalUrl } = await service.start()
  return { url, internalUrl }
}

/** Memory after a full garbage collection; the worker must run with `--expose-gc`. */
async function memory(): Promise<NodeJS.MemoryUsage> {
  if (globalThis.gc === undefined) throw new Error('the worker was started without --expose-gc')
  for (let turn = 0; turn < 3; turn += 1) {
    globalThis.gc()
    await setImmediate()
  }
  return process.memoryUsage()
}

serveCommands({ start, memory })
