import { problem } from '@melmastoon/domain'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from './request-context.ts'
import type { RouteMethods } from './route-methods.ts'

/** 404, 405 with `Allow`, and a plain answer to OPTIONS: no other origin is invited (SEC-N09). */
export function registerNotFound(app: FastifyInstance, routes: RouteMethods): void {
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    const methods = routes.allowedAt(pathOf(request))
    if (methods.length === 0) throw problem('MELMASTOON.GENERAL.ROUTE_NOT_FOUND')
    const allow = [...methods, 'OPTIONS'].join(', ')
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    throw problem('MELMASTOON.GENERAL.METHOD_NOT_ALLOWED', { headers: { allow } })
  })
}
