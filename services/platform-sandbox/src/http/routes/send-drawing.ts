import type { App } from '@melmastoon/chassis/http'
import { isId, problem } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { drawLogo } from '../../drawings/draw-logo.ts'
import { drawPhoto } from '../../drawings/draw-photo.ts'
import type { PropertyModule } from '../../modules/property/module.ts'

/**
 * The drawing of an id never changes. Pages of other origins may embed it; opened directly it can
 * run and load nothing.
 */
const HEADERS = {
  'content-type': 'image/svg+xml; charset=utf-8',
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

const Name = Type.Object({ id: Type.String({ maxLength: 40 }) })
const schema = { tags: ['drawings'], params: Name }

export function sendDrawingRoutes(
  app: App,
  property: Pick<PropertyModule, 'findPhoto' | 'findLogo'>,
): void {
  app.get(
    '/photos/:id.svg',
    {
      schema: { ...schema, summary: 'Get a drawn photo of a hotel' },
      config: { operation: 'drawings.photo' },
    },
    async (request, reply) => {
      const { id } = request.params
      const photo = isId('pht', id) ? await property.findPhoto(id) : null
      if (photo === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
      return send(reply, drawPhoto({ seed: id, ...photo }))
    },
  )
  app.get(
    '/logos/:id.svg',
    {
      schema: { ...schema, summary: 'Get the logo of a tenant' },
      config: { operation: 'drawings.logo' },
    },
    async (request, reply) => {
      const { id } = request.params
      const logo = isId('tnt', id) ? await property.findLogo(id) : null
      if (logo === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
      return send(reply, drawLogo({ seed: id, ...logo }))
    },
  )
}

function send(reply: FastifyReply, drawing: string): FastifyReply {
  return reply.headers(HEADERS).send(drawing)
}
