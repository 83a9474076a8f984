import { hash } from 'node:crypto'
import { problem } from '@melmastoon/domain'
import { equalBytes } from '@melmastoon/security'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import { type JobHost, runJob } from '../jobs/index.ts'

export interface JobRoutesOptions {
  host: JobHost
  /** Shared with the scheduler that calls; compared in constant time. */
  secret: { reveal(): string }
}

const PARAMS = Type.Object({ name: Type.String({ maxLength: 64 }) })

/** `POST /internal/jobs/:name` runs a job to its end and returns the result (P11). */
export function registerJobRoutes(app: FastifyInstance, options: JobRoutesOptions): void {
  const expected = digest(options.secret.reveal())
  app.post<{ Params: { name: string } }>(
    '/internal/jobs/:name',
    { config: { operation: 'internal.job.run' }, schema: { params: PARAMS, hide: true } },
    async (request) => {
      const given = request.headers['x-internal-secret']
      if (typeof given !== 'string' || !equalBytes(digest(given), expected)) {
        throw problem('MELMASTOON.GENERAL.UNAUTHENTICATED')
      }
      const result = await runJob(options.host, request.params.name)
      if (result.outcome === 'timeout') throw problem('MELMASTOON.GENERAL.DEADLINE_EXCEEDED')
      if (result.outcome !== 'done') throw problem('MELMASTOON.GENERAL.INTERNAL')
      return result
    },
  )
}

/** Equal lengths for any input, so that not even the secret's length can be measured. */
function digest(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
