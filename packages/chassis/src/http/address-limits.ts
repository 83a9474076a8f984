import { isIP } from 'node:net'
import type { Problem } from '@melmastoon/domain'
import { networkOf } from '@melmastoon/security'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { createLocalLimiter, type LimitPolicy, limitProblem } from '../limits/index.ts'

/**
 * Limits per client address and process for requests that the limits of a service do not cover, on
 * the public listener only. Many guests share an address (carrier-grade NAT), so the bounds only
 * stop floods.
 */
export interface AddressLimitPolicies {
  /** 50 per second: load balancers and orchestrators probe at most a few times per second. */
  readonly health: LimitPolicy
  /** A page of `/docs` loads about ten files. */
  readonly docs: LimitPolicy
  /** Requests without a route: 404 and 405. */
  readonly unmatched: LimitPolicy
}

const POLICIES: AddressLimitPolicies = {
  health: { name: 'health', limit: 3_000, periodSeconds: 60, burst: 300 },
  docs: { name: 'docs', limit: 600, periodSeconds: 60, burst: 200 },
  unmatched: { name: 'unmatched', limit: 600, periodSeconds: 60, burst: 200 },
}

/** Returns the problem of a request beyond its limit. */
export type AddressLimit = (request: FastifyRequest) => Problem | undefined

export type AddressLimits = Readonly<Record<keyof AddressLimitPolicies, AddressLimit>>

export function createAddressLimits(overrides: Partial<AddressLimitPolicies> = {}): AddressLimits {
  const { health, docs, unmatched } = { ...POLICIES, ...overrides }
  return {
    health: createAddressLimit(health),
    docs: createAddressLimit(docs),
    unmatched: createAddressLimit(unmatched),
  }
}

/** For the internal listener. */
export const NO_ADDRESS_LIMITS: AddressLimits = {
  health: () => undefined,
  docs: () => undefined,
  unmatched: () => undefined,
}

/** Per process; for a route without the limits of its service. */
export function createAddressLimit(policy: LimitPolicy): AddressLimit {
  const take = createLocalLimiter(policy)
  return ({ ip }) => {
    return limitProblem(take(isIP(ip) === 0 ? 'unknown' : networkOf(ip)))
  }
}

/** As an `onRequest` hook. */
export function addressLimitHook(limit: AddressLimit) {
  return (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void => {
    done(limit(request))
  }
}
