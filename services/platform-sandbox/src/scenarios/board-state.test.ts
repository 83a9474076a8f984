import { describe, expect, it } from 'vitest'
import { BoardState, faultName, WEBHOOK_DELIVERY } from './board-state.ts'

const down = { kind: 'down' } as const
const slow = { kind: 'slow', delayMs: 300 } as const
const wholePricing = { name: faultName({ upstream: 'pricing', operation: null }), value: down }

describe('BoardState', () => {
  it('has no faults when nothing is set', () => {
    const board = new BoardState([])
    expect(board.faultFor('pricing', 'preview')).toBeUndefined()
    expect(board.webhookDelivery).toBe('prompt')
  })

  it('applies to every operation of an upstream and to no other', () => {
    const board = new BoardState([wholePricing])
    expect(board.faultFor('pricing', 'preview')).toEqual(down)
    expect(board.faultFor('search', 'query')).toBeUndefined()
  })

  it('allows one operation its own fault', () => {
    const name = faultName({ upstream: 'pricing', operation: 'preview' })
    const board = new BoardState([wholePricing, { name, value: slow }])
    expect(board.faultFor('pricing', 'preview')).toEqual(slow)
    expect(board.faultFor('pricing', 'quote')).toEqual(down)
    expect(board.parts).toHaveLength(2)
  })

  it.each([
    { name: 'fault:pricing', value: { kind: 'sulking' } },
    { name: 'fault:pricing', value: { kind: 'slow' } },
    { name: 'fault:pricing', value: null },
    { name: 'fault:weather', value: down },
    { name: 'fault:__proto__', value: down },
    { name: 'pricing', value: down },
    { name: WEBHOOK_DELIVERY, value: 'eaten' },
  ])('ignores $name = $value', (setting) => {
    const board = new BoardState([setting])
    expect(board.parts).toEqual([])
    expect(board.faultFor('pricing', 'preview')).toBeUndefined()
    expect(board.webhookDelivery).toBe('prompt')
  })

  it('holds the webhook delivery', () => {
    expect(new BoardState([{ name: WEBHOOK_DELIVERY, value: 'twice' }]).webhookDelivery).toBe(
      'twice',
    )
  })
})
