import type { App } from '@melmastoon/chassis/http'
import { isId, problem } from '@melmastoon/domain'
import { IMAGE_FORMATS } from '@melmastoon/upstream-contracts'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { drawLogo } from '../../drawings/draw-logo.ts'
import { drawPhoto } from '../../drawings/draw-photo.ts'
import { findBitmap } from '../../drawings/photo-sources.ts'
import { createPhotoRenderer } from '../../drawings/render-photo.ts'
import type { PropertyModule } from '../../modules/property/module.ts'

/**
 * The drawing of an id never changes. Pages of other origins may embed it; opened directly it can
 * run and load nothing.
 */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
}

const SVG = 'image/svg+xml; charset=utf-8'
const Name = Type.Object({ id: Type.String({ maxLength: 40 }) })
const BitmapName = Type.Object({ ...Name.properties, width: Type.String({ maxLength: 5 }) })
const schema = { tags: ['drawings'], params: Name }

export function sendDrawingRoutes(
  app: App,
  property: Pick<PropertyModule, 'findPhoto' | 'findLogo'>,
): void {
  const drawPhotoOf = async (id: string): Promise<string> => {
    const photo = isId('pht', id) ? await property.findPhoto(id) : null
    if (photo === null) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
    return drawPhoto({ seed: id, ...photo })
  }
  sendBitmapRoutes(app, drawPhotoOf)
  app.get(
    '/photos/:id.svg',
    {
      schema: { ...schema, summary: 'Get a drawn photo of a hotel' },
      config: { operation: 'drawings.photo' },
    },
    async (request, reply) => send(reply, SVG, await drawPhotoOf(request.params.id)),
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
      return send(reply, SVG, drawLogo({ seed: id, ...logo }))
    },
  )
}

/** The same photos as bitmaps; a size that is not offered is not found. */
function sendBitmapRoutes(app: App, draw: (id: string) => Promise<string>): void {
  const renderer = createPhotoRenderer()
  for (const format of IMAGE_FORMATS) {
    app.get(
      `/photos/:id/:width.${format}`,
      {
        schema: {
          tags: ['drawings'],
          params: BitmapName,
          summary: `Get a photo of a hotel as ${format}`,
        },
        config: { operation: `drawings.${format}` },
      },
      async (request, reply) => {
        const { id, width } = request.params
        const bitmap = findBitmap(width, format)
        if (bitmap === undefined) throw problem('MELMASTOON.GENERAL.RESOURCE_NOT_FOUND')
        const bytes = await renderer.render(id, bitmap, () => draw(id))
        return send(reply, `image/${format}`, bytes)
      },
    )
  }
}

function send(reply: FastifyReply, type: string, drawing: string | Buffer): FastifyReply {
  return reply.headers({ ...HEADERS, 'content-type': type }).send(drawing)
}
