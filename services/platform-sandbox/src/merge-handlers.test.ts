import type { EventHandler } from '@melmastoon/chassis/inbox'
import { on } from '@melmastoon/chassis/inbox'
import { propertyUpdated, tenantSuspended } from '@melmastoon/platform-events'
import { describe, expect, it } from 'vitest'
import { mergeHandlers } from './merge-handlers.ts'

type Handled = Parameters<NonNullable<EventHandler['handle']>>

describe('merged handlers', () => {
  const calls: string[] = []
  const note = (name: string) => async () => {
    calls.push(name)
  }
  const handlers = mergeHandlers([
    on([tenantSuspended, propertyUpdated], { handle: note('first'), afterCommit: note('after') }),
    on(propertyUpdated, { scope: 'tenant', handle: note('second') }),
    on(tenantSuspended, { afterCommit: note('later') }),
  ])

  it('are one per subject, in the scope that all of them can work in', () => {
    expect(handlers.map(({ definitions, scope }) => [definitions.length, scope])).toEqual([
      [1, 'service'],
      [1, 'tenant'],
    ])
  })

  it('run in their order, and those after the commit separately', async () => {
    const [tx, event] = [{}, {}] as unknown as Handled
    await handlers[1]?.handle?.(tx, event)
    expect(calls.splice(0)).toEqual(['first', 'second'])
    await handlers[0]?.afterCommit(event)
    expect(calls.splice(0)).toEqual(['after', 'later'])
  })
})
