import { problem } from '@melmastoon/domain'
import type { FastifyReply, FastifyRequest } from 'fastify'

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/**
 * A foreign page may resolve its own host name to this machine and then has the same origin (DNS
 * rebinding); its requests still carry that host name.
 */
export function guardHost(config: { readonly host: string; readonly publicUrl: string }) {
  const names = new Set([...LOOPBACK, config.host, new URL(config.publicUrl).hostname])
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    const name = URL.parse(`http://${request.headers.host ?? ''}`)?.hostname ?? ''
    done(names.has(name) ? undefined : problem('MELMASTOON.GENERAL.FORBIDDEN'))
  }
}
