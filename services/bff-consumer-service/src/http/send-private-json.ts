import type { FastifyReply } from 'fastify'

/** JSON text about one guest: nobody keeps it. */
export function sendPrivateJson(reply: FastifyReply, text: string): void {
  reply.header('cache-control', PRIVATE['cache-control'])
  void reply.type('application/json; charset=utf-8').send(text)
}

export const PRIVATE = { 'cache-control': 'private, no-store' } as const
