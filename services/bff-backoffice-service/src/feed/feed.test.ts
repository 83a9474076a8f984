import type { EventHandler } from '@melmastoon/chassis/inbox'
import { newId } from '@melmastoon/domain'
import type { EventMessage } from '@melmastoon/events'
import { PLATFORM_EVENTS } from '@melmastoon/platform-events'
import { describe, expect, it } from 'vitest'
import type { StreamEvent } from '../streams/stream-event.ts'
import { lockFeed } from './lock-feed.ts'
import { mergeHandlers } from './merge-handlers.ts'
import { roomFeed } from './room-feed.ts'
import { staffFeed } from './staff-feed.ts'
import { stayFeed } from './stay-feed.ts'

const [tenantId, propertyId] = [newId('tnt'), newId('ppt')]

/** The feed with collaborators that record what they were asked for. */
function recordingFeed() {
  const steps: string[] = []
  const published: StreamEvent[] = []
  const deps = {
    cache: { invalidate: async (tags: readonly string[]) => void steps.push(...tags) },
    streams: {
      publish: async (_tenant: string, events: StreamEvent | readonly StreamEvent[]) => {
        published.push(...[events].flat())
        steps.push('published')
      },
    },
  }
  const handlers = [...stayFeed(deps), ...roomFeed(deps), ...staffFeed(deps), ...lockFeed(deps)]
  const receive = async (name: string, payload: object) => {
    const subject = `melmastoon.${name}.v1`
    const handler = handlers.find(({ definitions }) => definitions[0]?.subject === subject)
    if (handler === undefined) throw new Error(`nothing handles ${subject}`)
    const full = { tenantId, propertyId, version: 3, status: 'new', causationId: null, ...payload }
    const message = { payload: full, envelope: { tenantId } } as unknown
    await handler.afterCommit(message as EventMessage)
  }
  return { handlers, steps, published, receive }
}

const channels = (events: readonly StreamEvent[]) => events.map(({ channel }) => channel)

describe('the feed', () => {
  it('handles every platform event about stays, rooms, folios, keys, alerts and suggestions', () => {
    const { handlers } = recordingFeed()
    const handled = handlers.flatMap(({ definitions }) => definitions.map((each) => each.subject))
    const shown =
      /^melmastoon\.(housekeeping|maintenance|reservation|billing|lock|notification|ai)\./
    const expected = PLATFORM_EVENTS.map(({ subject }) => subject as string).filter(
      (subject) => shown.test(subject) && !/reservation\.(held|hold_expired)/.test(subject),
    )
    expect(handled).toEqual(expect.arrayContaining(expected))
  })

  it('invalidates caches before it notifies devices', async () => {
    const { steps, published, receive } = recordingFeed()
    const reservationId = newId('rsv')
    await receive('reservation.confirmed', { reservationId })
    expect(steps).toEqual([`stays:${tenantId}:${propertyId}`, 'published'])
    expect(channels(published)).toEqual(['arrivals', 'departures', 'in_house', 'housekeeping'])
    expect(published[0]).toEqual({
      channel: 'arrivals',
      propertyId,
      type: 'reservation.confirmed',
      data: { reservationId, status: 'new' },
    })
  })

  it.each([
    ['housekeeping.task.started', ['arrivals', 'departures', 'in_house', 'housekeeping']],
    ['housekeeping.room.status_changed', ['arrivals', 'departures', 'in_house', 'housekeeping']],
    ['billing.folio.charge_posted', ['arrivals', 'departures', 'in_house']],
    ['lock.credential.issued', ['arrivals', 'departures', 'locks']],
    ['iam.device.registered', ['devices']],
  ])('%s concerns %s', async (name, expected) => {
    const { published, receive } = recordingFeed()
    await receive(name, {})
    expect(channels(published)).toEqual(expected)
  })

  it('names a work order to those who see the whole board only', async () => {
    const { published, receive } = recordingFeed()
    await receive('maintenance.work_order.assigned', { workOrderId: newId('mnt') })
    expect(published.map(({ classes, data }) => [classes, 'workOrderId' in data])).toEqual([
      [['desk', 'mt', 'mgmt'], true],
      [['hk'], false],
    ])
  })

  it('invalidates the lists that a change concerns, and no others', async () => {
    const { steps, receive } = recordingFeed()
    const tags = () => steps.splice(0).filter((step) => step !== 'published')
    await receive('maintenance.work_order.created', { workOrderId: newId('mnt') })
    expect(tags()).toEqual([`work-orders:${tenantId}:${propertyId}`])
    await receive('billing.folio.charge_posted', {})
    expect(tags()).toEqual([`folios:${tenantId}:${propertyId}`])
    await receive('notification.alert.acknowledged', { audience: [] })
    expect(tags()).toEqual([`alerts:${propertyId}`])
  })

  it('tags alerts and suggestions with the classes that see them', async () => {
    const { steps, published, receive } = recordingFeed()
    await receive('notification.alert.raised', { audience: ['housekeeping', 'unknown'] })
    await receive('ai.suggestion.proposed', { class: 'desk' })
    expect(published.map(({ channel, classes }) => [channel, classes])).toEqual([
      ['alerts', ['mgmt', 'hk']],
      ['ai', ['mgmt', 'desk']],
    ])
    expect(steps).toContain(`alerts:${propertyId}`)
    expect(steps).toContain(`suggestions:${propertyId}`)
  })

  it('shows actions on keys from their events, whichever process has settled them', async () => {
    const { published, receive } = recordingFeed()
    const ids = { actionId: newId('lap'), reservationId: newId('rsv'), action: 'issue' }
    await receive('bff.backoffice.lock_action.requested', ids)
    await receive('bff.backoffice.lock_action.settled', { ...ids, outcome: 'failure' })
    const event = { channel: 'locks', propertyId, classes: ['desk', 'mgmt'] }
    const type = 'lock_action.changed'
    expect(published).toEqual([
      { ...event, type, data: { ...ids, state: 'requested' } },
      { ...event, type, data: { ...ids, state: 'failed' } },
    ])
  })

  it('notifies an operator of a changed role, and no other operator', async () => {
    const { published, receive } = recordingFeed()
    const operatorId = newId('opr')
    await receive('tenant.operator.role_changed', { operatorId })
    expect(published).toEqual([expect.objectContaining({ channel: 'session', operatorId })])
  })
})

describe('handlers of one subject', () => {
  const [definition] = PLATFORM_EVENTS
  const handler = (name: string, log: string[], handle?: EventHandler['handle']): EventHandler => ({
    definitions: [definition],
    scope: handle === undefined ? 'service' : 'tenant',
    handle,
    afterCommit: async () => void log.push(name),
  })

  it('become one, which writes as one of them and runs the effects of both in order', async () => {
    const log: string[] = []
    const handle = async () => undefined
    const [merged, ...rest] = mergeHandlers([handler('first', log), handler('second', log, handle)])
    expect([rest, merged?.scope, merged?.handle]).toEqual([[], 'tenant', handle])
    await merged?.afterCommit({} as EventMessage)
    expect(log).toEqual(['first', 'second'])
  })

  it('cannot both write: they could not fail separately', () => {
    const handle = async () => undefined
    const both = [handler('first', [], handle), handler('second', [], handle)]
    expect(() => mergeHandlers(both)).toThrow(TypeError)
  })
})
