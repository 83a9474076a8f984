import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { SECURITY_HEADERS } from '@melmastoon/chassis/http'
import type { FastifyInstance } from 'fastify'

const ASSETS = [
  { file: 'control-room.css', type: 'text/css; charset=utf-8' },
  { file: 'control-room.js', type: 'text/javascript; charset=utf-8' },
] as const

export async function registerAssets(scope: FastifyInstance): Promise<void> {
  for (const { file, type } of ASSETS) {
    const body = await readFile(new URL(`../assets/${file}`, import.meta.url))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const headers = {
      ...SECURITY_HEADERS,
      'content-type': type,
      'cache-control': 'no-cache',
      etag,
    }
    scope.get(`/admin/assets/${file}`, { schema: { hide: true } }, async (request, reply) => {
      reply.headers(headers)
      return request.headers['if-none-match'] === etag ? reply.code(304).send() : reply.send(body)
    })
  }
}
