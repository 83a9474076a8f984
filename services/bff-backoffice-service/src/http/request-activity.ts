import type { Clock } from '@melmastoon/chassis/clock'
import { toProblem } from '@melmastoon/chassis/http'
import { isId, type PropertyId } from '@melmastoon/domain'
import type { FastifyRequest, RouteOptions } from 'fastify'
import { mayUseProperty, type Operator, onlyPropertyOf } from '../access/operator.ts'
import type { Activity, Ledger } from '../activity/activity.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Of a mutation: what the ledger says about a request that is rejected before its handler. */
    activity?: RouteActivity<never>
  }
}

/** What the ledger says about a mutation. */
export interface RouteActivity<R extends FastifyRequest> {
  /** The area, for example `desk`. */
  readonly category: string
  /** For example `reservation.check_in`. */
  readonly action: string
  readonly resourceKind: string
  readonly resourceId: (request: R) => string | null
}

interface Outcome<R extends FastifyRequest> {
  readonly request: R
  readonly propertyId: PropertyId | null
  readonly errorCode: string | null
}

const described = new WeakMap<object, RouteActivity<never>>()
/** Requests whose outcome is in the ledger. */
const recorded = new WeakSet<FastifyRequest>()

/** Marks the handler of a mutation, for {@link attachActivity}. */
export function describesActivity<H extends object, R extends FastifyRequest>(
  handler: H,
  activity: RouteActivity<R>,
): H {
  described.set(handler, activity)
  return handler
}

/** An `onRoute` hook: a mutation that is rejected before its handler has an activity as well. */
export function attachActivity(route: RouteOptions): void {
  const activity = described.get(route.handler)
  if (activity !== undefined) route.config = { ...route.config, activity }
}

export function activityFor<R extends FastifyRequest>(
  { clock }: { readonly clock: Clock },
  { category, action, resourceKind, resourceId }: RouteActivity<R>,
  { request, propertyId, errorCode }: Outcome<R>,
): Activity {
  recorded.add(request)
  const { tenantId, operatorId, deviceId, sessionId } = request.operator
  return {
    tenantId,
    operatorId,
    deviceId,
    sessionId,
    // A rejected request often does not reach the code that finds the property of its resource.
    propertyId: propertyId ?? onlyPropertyOf(request.operator),
    occurredAt: clock.now(),
    category,
    action,
    resourceKind,
    resourceId: resourceId(request),
    outcome: errorCode === null ? 'success' : 'failure',
    latencyMs: Math.round(performance.now() - request.state.startedMs),
    errorCode,
  }
}

/**
 * The error handler of the scope: a mutation that a hook, the validation or the idempotency key
 * rejected is recorded before its response is sent (B11). Without the ledger the response is 503.
 */
export function createRejectionHandler(deps: { readonly ledger: Ledger; readonly clock: Clock }) {
  return async (error: unknown, request: FastifyRequest): Promise<never> => {
    const { activity } = request.routeOptions.config
    // Before authentication nobody knows whose activity it would be.
    const operator: Operator | undefined = request.operator
    if (activity !== undefined && operator !== undefined && !recorded.has(request)) {
      await deps.ledger.record(rejectionOf(deps, request, toProblem(error).code))
    }
    throw error
  }
}

function rejectionOf(
  deps: { readonly clock: Clock },
  request: FastifyRequest,
  errorCode: string,
): Activity {
  const { activity } = request.routeOptions.config
  if (activity === undefined) throw new TypeError('not a mutation')
  const safe: RouteActivity<FastifyRequest> = {
    ...activity,
    resourceId: (unchecked) => validResource(() => activity.resourceId(unchecked as never)),
  }
  return activityFor(deps, safe, { request, propertyId: namedProperty(request), errorCode })
}

const ID = /^[a-z]{2,4}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/

/** Parameters and body were not validated: they may be missing, or anything. */
function validResource(read: () => unknown): string | null {
  try {
    const value = read()
    return typeof value === 'string' && ID.test(value) ? value : null
  } catch {
    return null
  }
}

/** The property that the request names, if the operator may use it. */
function namedProperty({ query, body, operator }: FastifyRequest): PropertyId | null {
  for (const source of [query, body]) {
    if (typeof source !== 'object' || source === null || !('propertyId' in source)) continue
    const { propertyId } = source
    if (isId('ppt', propertyId) && mayUseProperty(operator, propertyId)) return propertyId
  }
  return null
}
