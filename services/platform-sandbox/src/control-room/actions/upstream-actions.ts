import { problem } from '@melmastoon/domain'
import { UPSTREAMS, type UpstreamName } from '@melmastoon/upstream-contracts'
import { type Static, Type } from 'typebox'
import { servedModules } from '../../modules.ts'
import { FAULT_KINDS, type Fault, SLOW_MS_MAX } from '../../scenarios/fault.ts'
import type { ControlRoom } from '../control-room.ts'
import { defineAction } from './action.ts'

export const DEFAULT_DELAY_MS = 2_000
export const DEFAULT_FAIL_PERCENT = 50

const UpstreamParams = Type.Object({ upstream: Type.Enum([...UPSTREAMS]) })
const operation = Type.Optional(Type.String({ pattern: '^\\w{1,60}$' }))

const BreakBody = Type.Object({
  kind: Type.Enum([...FAULT_KINDS]),
  /** All operations by default. */
  operation,
  /** For `down` and `unanswered`: close the connection. */
  reset: Type.Optional(Type.Boolean()),
  /** For `slow`. */
  delayMs: Type.Optional(Type.Integer({ minimum: 1, maximum: SLOW_MS_MAX })),
  /** For `flaky`. */
  failPercent: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  /** The number of calls it affects; all until it is restored by default. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})

export const breakUpstream = defineAction({
  name: 'upstream.break',
  path: '/upstreams/:upstream/break',
  summary: 'Make an upstream, or one operation of it, fail until it is restored',
  done: 'The upstream is faulty.',
  section: 'upstreams',
  params: UpstreamParams,
  body: BreakBody,
  async run(room, { params, body }) {
    const { upstream } = params
    const part = { upstream, operation: checkOperation(room, upstream, body.operation) }
    const { times } = body
    const fault = { ...faultOf(body), ...(times !== undefined && { times }) }
    await room.scenarios.setFault({ ...part, fault })
    return upstreamStates(room)
  },
})

export const restoreUpstream = defineAction({
  name: 'upstream.mend',
  path: '/upstreams/:upstream/mend',
  summary: 'Restore an upstream, or one operation of it',
  done: 'The upstream is restored.',
  section: 'upstreams',
  params: UpstreamParams,
  body: Type.Object({ operation }),
  async run(room, { params, body }) {
    const { upstream } = params
    await room.scenarios.restorePart({ upstream, operation: body.operation ?? null })
    return upstreamStates(room)
  },
})

export const restoreAll = defineAction({
  name: 'upstream.mend-all',
  path: '/upstreams/mend-all',
  summary: 'Restore all upstreams',
  done: 'All upstreams are restored.',
  section: 'upstreams',
  params: Type.Object({}),
  body: Type.Object({}),
  async run(room) {
    await room.scenarios.restoreAll()
    return upstreamStates(room)
  },
})

/** All current faults. */
export function upstreamStates({ scenarios }: Pick<ControlRoom, 'scenarios'>) {
  return { broken: scenarios.faultyParts() }
}

/** The operations that can fail individually. */
export function operationsOf(room: ControlRoom, upstream: UpstreamName): readonly string[] {
  const served = servedModules(room.modules).find(({ contract }) => contract.upstream === upstream)
  return Object.keys(served?.contract.operations ?? {})
}

function checkOperation(
  room: ControlRoom,
  upstream: UpstreamName,
  name: string | undefined,
): string | null {
  if (name === undefined) return null
  if (operationsOf(room, upstream).includes(name)) return name
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', {
    errors: [
      {
        pointer: '/operation',
        code: 'unknown',
        detail: `${upstream} has no operation of this name`,
      },
    ],
  })
}

function faultOf(body: Static<typeof BreakBody>): Fault {
  switch (body.kind) {
    case 'down':
    case 'unanswered':
      return { kind: body.kind, reset: body.reset ?? false }
    case 'slow':
      return { kind: 'slow', delayMs: body.delayMs ?? DEFAULT_DELAY_MS }
    case 'flaky':
      return { kind: 'flaky', failPercent: body.failPercent ?? DEFAULT_FAIL_PERCENT }
    case 'hanging':
    case 'lying':
      return { kind: body.kind }
  }
}
