import { describe, expect, it } from 'vitest'
import { BoardState } from './board-state.ts'
import { decideFault } from './decide-fault.ts'
import type { Fault } from './fault.ts'
import type { ScenarioBoard } from './scenario-board.ts'

const call = { upstream: 'pricing', operation: 'preview', scenario: undefined } as const

function boardWith(fault?: Fault): ScenarioBoard {
  const state = new BoardState(fault ? [{ name: 'fault:pricing', value: fault }] : [])
  return {
    faultFor: (upstream, operation) => state.faultFor(upstream, operation),
    takeTurn: async () => true,
    webhookDelivery: () => 'prompt',
  }
}

describe('decideFault', () => {
  it('lets a call pass without a fault', () => {
    expect(decideFault({ ...call, board: boardWith() })).toBeUndefined()
  })

  it('applies the fault of the settings', () => {
    const board = boardWith({ kind: 'lying' })
    expect(decideFault({ ...call, board })).toEqual({ kind: 'lying' })
    expect(decideFault({ ...call, upstream: 'search', board })).toBeUndefined()
  })

  it('lets the header of a call override the settings', () => {
    const board = boardWith({ kind: 'hanging' })
    expect(decideFault({ ...call, scenario: 'slow=5', board })).toEqual({
      kind: 'slow',
      delayMs: 5,
    })
  })

  it('applies the settings when the header names a scenario of a module', () => {
    const board = boardWith({ kind: 'down' })
    expect(decideFault({ ...call, scenario: 'price-up', board })).toEqual({ kind: 'down' })
  })

  it('fails exactly the given share of flaky calls', () => {
    const board = boardWith({ kind: 'flaky', failPercent: 30 })
    const outcomes = Array.from({ length: 100 }, (_, roll) =>
      decideFault({ ...call, board, roll: () => roll }),
    )
    expect(outcomes.filter((fault) => fault?.kind === 'down')).toHaveLength(30)
    expect(outcomes.filter((fault) => fault === undefined)).toHaveLength(70)
  })

  it('lets no call pass at 100 percent', () => {
    const always = boardWith({ kind: 'flaky', failPercent: 100 })
    expect(decideFault({ ...call, board: always })).toEqual({ kind: 'down' })
  })
})
