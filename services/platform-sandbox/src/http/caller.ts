import type { CallingService, ServiceVerifier } from '@melmastoon/upstream-contracts/auth'
import type { FastifyRequest } from 'fastify'

const callers = new WeakMap<FastifyRequest, CallingService>()

/** Before anything is read or run: nobody but a service of the platform calls an upstream. */
export function verifyCaller(verifier: ServiceVerifier) {
  return async (request: FastifyRequest) => {
    callers.set(request, await verifier.verify(request.headers))
  }
}

export function callerOf(request: FastifyRequest): CallingService {
  const caller = callers.get(request)
  if (caller === undefined) throw new TypeError('the route did not verify its caller')
  return caller
}
