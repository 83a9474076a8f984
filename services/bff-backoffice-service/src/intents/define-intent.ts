import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import {
  type FieldError,
  fieldError,
  type IdPrefix,
  isId,
  type ProblemCode,
  type PropertyId,
} from '@melmastoon/domain'
import type { Static, TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Operator } from '../access/operator.ts'
import type { StaffCall } from '../events/staff-call.ts'
import type { StaffActor } from '../upstreams/staff-change.ts'
import { findErrors } from './find-errors.ts'
import type { CurrentState, Intent, Maker } from './intent.ts'

/** What a definition works with: the intent with the types of its schemas. */
export interface Given<E, A> {
  readonly resourceId: string
  readonly expect: E
  readonly args: A
  /** Names this intent in the history of the resource, for ever. */
  readonly causationId: string
  /** Who sent it first: the same in every attempt. */
  readonly actor: StaffActor
  /** The same, with the rights of now. */
  readonly operator: Operator
  /** An earlier attempt may have made the change. */
  readonly isRepeated: boolean
}

/** One kind of intent. `R` is what is read to decide about it. */
export interface IntentDefinition<D, E extends TSchema, A extends TSchema, R> {
  readonly name: string
  /** The row of the role table; the same as that of the route. */
  readonly operation: string
  /** As in the ledger of activities. */
  readonly activity: { readonly category: string; readonly resourceKind: string }
  readonly resource: IdPrefix
  readonly expect: E
  readonly args: A
  /** @throws Problem RESOURCE_NOT_FOUND */
  read(deps: D, given: Given<Static<E>, Static<A>>, call: UpstreamCall): Promise<R>
  propertyOf(resource: R): PropertyId
  /** Whether this intent has made its change, however long ago. */
  isOwn(resource: R, given: Given<Static<E>, Static<A>>): boolean
  /** Who reached the goal; null: it does not hold. */
  done(resource: R, given: Given<Static<E>, Static<A>>): Maker | null
  /** Why the expectation does not hold; null: it holds. */
  unexpected(
    resource: R,
    given: Given<Static<E>, Static<A>>,
  ): (Maker & { readonly current: CurrentState }) | null
  /** What is not allowed offline; null: nothing. */
  forbidden?(given: Given<Static<E>, Static<A>>, operator: Operator): ProblemCode | null
  /** @throws Problem of the upstream. */
  apply(
    deps: D,
    given: Given<Static<E>, Static<A>> & { readonly resource: R },
    call: StaffCall,
  ): Promise<unknown>
  /** Rejections by `apply` that are verdicts; after a conflict the resource is read again. */
  readonly rejections: readonly ProblemCode[]
}

/** A definition for one intent whose content was checked. */
export interface BoundIntent {
  readonly read: (call: UpstreamCall) => Promise<BoundResource>
  readonly forbidden: (operator: Operator) => ProblemCode | null
  readonly rejections: readonly ProblemCode[]
}

/** The resource as it was read, judged by one intent. */
export interface BoundResource {
  readonly propertyId: PropertyId
  readonly isOwn: boolean
  readonly done: Maker | null
  readonly unexpected: (Maker & { readonly current: CurrentState }) | null
  readonly apply: (call: StaffCall) => Promise<unknown>
}

/** A row of the table of intents. */
export interface IntentKind<D> {
  readonly name: string
  readonly operation: string
  readonly activity: { readonly category: string; readonly resourceKind: string }
  readonly resource: IdPrefix
  /** For the API description. */
  readonly expect: TSchema
  readonly args: TSchema
  /** What is wrong with its resource, `expect` and `args`. */
  errorsOf(intent: Intent): FieldError[]
  /** For a valid intent. */
  bind(
    deps: D,
    intent: Intent,
    identity: Omit<Given<never, never>, 'resourceId' | 'expect' | 'args'>,
  ): BoundIntent
}

export function defineIntent<D, E extends TSchema, A extends TSchema, R>(
  definition: IntentDefinition<D, E, A, R>,
): IntentKind<D> {
  const { name, operation, activity, resource, expect, args, rejections } = definition
  const checks = { expect: Compile(expect), args: Compile(args) }
  return {
    name,
    operation,
    activity,
    resource,
    expect,
    args,
    errorsOf(intent) {
      return [
        ...(isId(resource, intent.resourceId) ? [] : [wrongResource(resource)]),
        ...findErrors(checks.expect, intent.expect, '/expect'),
        ...findErrors(checks.args, intent.args, '/args'),
      ]
    },
    bind(deps, intent, identity) {
      const { resourceId } = intent
      const given: Given<Static<E>, Static<A>> = {
        resourceId,
        expect: intent.expect as Static<E>,
        args: intent.args as Static<A>,
        ...identity,
      }
      return {
        rejections,
        forbidden: (operator) => definition.forbidden?.(given, operator) ?? null,
        async read(call) {
          const resource = await definition.read(deps, given, call)
          return {
            propertyId: definition.propertyOf(resource),
            isOwn: definition.isOwn(resource, given),
            done: definition.done(resource, given),
            unexpected: definition.unexpected(resource, given),
            apply: (change) => definition.apply(deps, { ...given, resource }, change),
          }
        },
      }
    },
  }
}

const wrongResource = (prefix: IdPrefix) =>
  fieldError('/resourceId', 'pattern', `must be an id that begins with ${prefix}_`)
