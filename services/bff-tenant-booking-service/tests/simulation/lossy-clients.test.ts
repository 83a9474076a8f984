import { isProblem, newId } from '@melmastoon/domain'
import { describe, expect, it } from 'vitest'
import { type Decisions, replayedDecisions, seededDecisions } from './decisions.ts'
import { FAULTS, type Fault, lossyClients, Network } from './lossy-clients.ts'
import { Scheduler } from './scheduler.ts'
import { createSimulatedUpstream } from './simulated-upstream.ts'

const tenantId = newId('tnt')
const CASH = {
  draftRef: 'draft',
  method: 'cash_on_arrival',
  captureMode: 'automatic',
  amount: { amountMicro: '5000000', currency: 'USD' },
} as const

function start(decisions: Decisions, options: { faultOneIn?: number } = {}) {
  const scheduler = new Scheduler({ decisions, taskMsMax: 0 })
  const upstream = createSimulatedUpstream(scheduler.clock)
  const paymentMethods = ['cash_on_arrival', 'card'] as const
  upstream.tenants.add({ tenantId, country: 'AF', paymentMethods, isSuspended: false })
  const network = new Network({ scheduler, ...options })
  const process = scheduler.process('a')
  const { payment } = lossyClients(upstream.clients, network, process)
  const create = (key: string) =>
    payment.createIntent(
      { body: CASH },
      { tenantId, idempotencyKey: key, deadline: process.deadline(5_000) },
    )
  return { scheduler, upstream, network, process, create }
}

/** Every call has this fault. */
function always(fault: Fault): Decisions {
  const no = FAULTS.indexOf(fault) - 1
  return { choose: (options) => (options === FAULTS.length - 1 ? no : options - 1) }
}

async function callOnce(fault: Fault) {
  const { scheduler, upstream, process, create } = start(
    fault === 'none' ? replayedDecisions([]) : always(fault),
    { faultOneIn: 2 },
  )
  const call = process.spawn('call', () => create('a key of sixteen chars'))
  await scheduler.runFor(2_500)
  const early = upstream.payments.all().length
  await scheduler.runToEnd()
  const outcome = call.outcome()
  const error = outcome.status === 'failed' ? outcome.error : undefined
  const code = isProblem(error) ? error.code : (error as { code?: string } | undefined)?.code
  const received = upstream.audit.entries.filter(({ kind }) => kind === 'call').length
  return { code: code ?? outcome.status, early, intents: upstream.payments.all().length, received }
}

describe('a call over the simulated network', () => {
  const TIMEOUT = 'MELMASTOON.BFF.UPSTREAM_TIMEOUT'
  it.each<[Fault, { code: string; early: number; intents: number; received: number }]>([
    ['none', { code: 'done', early: 1, intents: 1, received: 1 }],
    ['delayed', { code: 'done', early: 1, intents: 1, received: 1 }],
    ['request_lost', { code: TIMEOUT, early: 0, intents: 0, received: 0 }],
    ['response_lost', { code: TIMEOUT, early: 1, intents: 1, received: 1 }],
    ['late', { code: TIMEOUT, early: 0, intents: 1, received: 1 }],
    ['duplicated', { code: 'done', early: 1, intents: 1, received: 2 }],
    [
      'unavailable',
      { code: 'MELMASTOON.BFF.UPSTREAM_UNAVAILABLE', early: 0, intents: 0, received: 0 },
    ],
    [
      'contract_broken',
      { code: 'MELMASTOON.BFF.UPSTREAM_CONTRACT_BROKEN', early: 1, intents: 1, received: 1 },
    ],
    ['in_flight', { code: 'MELMASTOON.IDEMPOTENCY.IN_FLIGHT', early: 0, intents: 0, received: 0 }],
  ])('%s', async (fault, expected) => {
    expect(await callOnce(fault)).toEqual(expected)
  })

  it('reaches every fault, and a history repeats exactly', async () => {
    const run = async (decisions: Decisions) => {
      const world = start(decisions, { faultOneIn: 2 })
      const { scheduler, process, network, create } = world
      for (let no = 0; no < 60; no += 1) {
        process.spawn(`call ${no}`, () => create(`a key of sixteen chars ${no % 20}`))
      }
      await scheduler.runToEnd()
      return { hash: scheduler.traceHash(), audit: world.upstream.audit.entries, network }
    }
    const decisions = seededDecisions(11)
    const first = await run(decisions)
    const second = await run(replayedDecisions(decisions.taken))
    expect(second.hash).toBe(first.hash)
    expect(second.audit).toEqual(first.audit)
    const faults = [...first.network.occurred.keys()].map((name) => name.split(' ').at(-1))
    expect(new Set(faults)).toEqual(new Set(FAULTS.filter((fault) => fault !== 'none')))
  })

  it('has no faults after they were stopped', async () => {
    const { scheduler, process, network, create } = start(always('request_lost'), { faultOneIn: 2 })
    network.isReliable = true
    const call = process.spawn('call', () => create('a key of sixteen chars'))
    await scheduler.runToEnd()
    expect(call.outcome()).toMatchObject({ status: 'done' })
  })
})
