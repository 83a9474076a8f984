import type { Tx } from '@melmastoon/chassis/db'
import { on } from '@melmastoon/chassis/inbox'
import { newId } from '@melmastoon/domain'
import { platformRegistry, propertyUpdated, tenantSuspended } from '@melmastoon/platform-events'
import { describe, expect, it } from 'vitest'
import { systemCause } from './event-causes.ts'
import { mergeHandlers } from './merge-handlers.ts'

/** The handlers of this test read nothing of it. */
const EVENT = platformRegistry.build(
  propertyUpdated.subject,
  {
    tenantId: newId('tnt'),
    propertyId: newId('ppt'),
    propertyVersion: 1,
    updatedAt: '2026-03-19T00:00:00Z',
  },
  systemCause('test'),
)

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
    const query: Tx['query'] = async () => []
    await handlers[1]?.handle?.({ query, onCommit: () => undefined }, EVENT)
    expect(calls.splice(0)).toEqual(['first', 'second'])
    await handlers[0]?.afterCommit(EVENT)
    expect(calls.splice(0)).toEqual(['after', 'later'])
  })
})
