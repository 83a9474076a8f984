import type { FastifyReply } from 'fastify'

/** What is about one guest: nobody keeps it. */
export const PRIVATE = { 'cache-control': 'private, no-store' } as const

/** JSON text for whoever asked, and for nobody else. */
export function sendPrivateJson(
  reply: FastifyReply,
  text: string,
  cacheControl: `private, ${string}` = PRIVATE['cache-control'],
): void {
  reply.header('cache-control', cacheControl)
  void reply.type('application/json; charset=utf-8').send(text)
}
