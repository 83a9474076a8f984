import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '@melmastoon/chassis/http'
import { problem } from '@melmastoon/domain'
import type { UpstreamName } from '@melmastoon/upstream-contracts'
import type {
  FastifyReply,
  FastifyRequest,
  onSendHookHandler,
  preValidationHookHandler,
} from 'fastify'
import type { TSchema } from 'typebox'
import { type AppliedFault, decideFault } from '../scenarios/decide-fault.ts'
import { HANGING_MS_MAX } from '../scenarios/fault.ts'
import { SCENARIO_HEADER } from '../scenarios/parse-fault.ts'
import type { ScenarioBoard } from '../scenarios/scenario-board.ts'
import { violateContract } from '../scenarios/violate-contract.ts'

export interface ServedOperation {
  readonly upstream: UpstreamName
  readonly operation: string
  readonly response: TSchema
}

export type FaultHooks = (served: ServedOperation) => {
  readonly preValidation: preValidationHookHandler
  readonly onSend: onSendHookHandler<unknown>
}

/**
 * Hooks that apply faults. They run after the body has been read, because a hanging call with an
 * unread body would be closed as a slow client. Without faults they cost two lookups.
 */
export function createFaultHooks(app: App, board: ScenarioBoard): FaultHooks {
  const liars = new WeakSet<FastifyRequest>()
  const unanswered = new WeakMap<FastifyRequest, Unanswered>()
  const hung = new Set<FastifyReply>()
  // Hanging calls do not prevent the process from stopping.
  app.addHook('preClose', async () => hung.forEach(cutOff))
  const play = {
    lie: (request: FastifyRequest) => liars.add(request),
    loseResponse: (request: FastifyRequest, fault: Unanswered) => unanswered.set(request, fault),
    hung,
  }
  return ({ upstream, operation, response }) => ({
    preValidation(request, reply, done) {
      const scenario = scenarioOf(request)
      const fault = decideFault({ upstream, operation, scenario, board })
      if (fault === undefined) return done()
      const apply = async () => {
        const applies = fault.times === undefined || (await board.takeTurn(upstream, operation))
        return applies ? await applyFault(fault, { request, reply, ...play }) : true
      }
      apply().then((goesOn) => goesOn && done(), done)
    },
    onSend(request, reply, ...[payload, done]) {
      const lost = unanswered.get(request)
      if (lost?.reset) return void request.raw.socket.resetAndDestroy()
      if (lost !== undefined) return waitForClose(reply, hung)
      const isLie = liars.has(request) && reply.statusCode < 400
      done(null, isLie ? renderViolation(response, payload) : payload)
    },
  })
}

export function scenarioOf({ headers }: FastifyRequest): string | undefined {
  const scenario = headers[SCENARIO_HEADER]
  return typeof scenario === 'string' ? scenario : undefined
}

type Unanswered = Extract<AppliedFault, { kind: 'unanswered' }>

interface Scene {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly hung: Set<FastifyReply>
  lie(request: FastifyRequest): unknown
  loseResponse(request: FastifyRequest, fault: Unanswered): unknown
}

/**
 * Whether the call continues; a slow one does so even when its caller has disconnected (IDEM-22).
 */
async function applyFault(fault: AppliedFault, scene: Scene): Promise<boolean> {
  const { request, reply } = scene
  switch (fault.kind) {
    case 'down':
      if (!fault.reset) throw problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE')
      reply.hijack()
      request.raw.socket.resetAndDestroy()
      return false
    case 'slow':
      await delay(fault.delayMs)
      return true
    case 'hanging':
      reply.hijack()
      waitForClose(reply, scene.hung)
      return false
    case 'unanswered':
      scene.loseResponse(request, fault)
      return true
    case 'lying':
      scene.lie(request)
      return true
  }
}

function waitForClose(reply: FastifyReply, hung: Set<FastifyReply>): void {
  hung.add(reply)
  const timer = setTimeout(cutOff, HANGING_MS_MAX, reply)
  reply.raw.once('close', () => {
    clearTimeout(timer)
    hung.delete(reply)
  })
}

function cutOff(reply: FastifyReply): void {
  reply.raw.destroy()
}

function renderViolation(schema: TSchema, payload: unknown): unknown {
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload
  return JSON.stringify(violateContract(schema, JSON.parse(payload.toString())))
}
