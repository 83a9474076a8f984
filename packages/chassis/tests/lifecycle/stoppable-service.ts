import { setTimeout as delay } from 'node:timers/promises'
import { buildApp } from '../../src/http/build-app.ts'
import { serve } from '../../src/http/serve.ts'
import { runService } from '../../src/lifecycle/index.ts'

/** A service in a separate process for the shutdown tests. */
await runService({
  name: 'stoppable',
  async start() {
    const app = await buildApp({ service: 'stoppable' })
    app.get('/fast', () => ({ ok: true }))
    app.get('/slow', async () => {
      await delay(1500)
      return { ok: true }
    })
    app.get('/stuck', async () => {
      await delay(60_000)
      return { ok: true }
    })
    app.get('/reject', () => {
      void Promise.reject(new Error('unhandled'))
      return { ok: true }
    })
    const serving = await serve(app, { port: 0, host: '127.0.0.1', announceMs: 200 })
    process.stdout.write(`listening ${serving.port}\n`)
    const pool = {
      name: 'pools',
      timeoutMs: 500,
      run: async () => void process.stdout.write('pools closed\n'),
    }
    return {
      stopPhases: [serving.stopPhase, pool],
      shutdownMs: Number(process.argv[2] ?? 8500),
    }
  },
})
