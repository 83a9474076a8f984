import { id } from '@melmastoon/upstream-contracts'
import { LOCK_VENDORS } from '@melmastoon/upstream-contracts/lock'
import { Type } from 'typebox'
import { LOCK_SCENARIO_NAMES, SENT_RESPONSES } from '../../modules/lock/module.ts'
import { defineAction } from './action.ts'

const ofProperty = {
  section: 'locks',
  params: Type.Object({ tenantId: id('tnt'), propertyId: id('ppt') }),
} as const
const ofReservation = {
  section: 'locks',
  params: Type.Object({ tenantId: id('tnt'), reservationId: id('rsv') }),
} as const

const Scenario = Type.Object({
  scenario: Type.Enum([...LOCK_SCENARIO_NAMES]),
  /** How many actions it affects; without it, all until it is removed. */
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})

export const setPropertyLocks = defineAction({
  ...ofProperty,
  name: 'lock.property-scenario',
  path: '/tenants/:tenantId/properties/:propertyId/lock-scenario',
  summary: 'Set how the locks of a property behave',
  done: 'The behaviour of the locks is changed.',
  body: Scenario,
  async run(room, { params, body }) {
    const { scenario, times = null } = body
    await room.modules.lock.controls.setScenario(params, { scenario, times })
    return { ...params, scenario, times }
  },
})

export const restorePropertyLocks = defineAction({
  ...ofProperty,
  name: 'lock.restore-property',
  path: '/tenants/:tenantId/properties/:propertyId/lock-scenario/remove',
  summary: 'Let the locks of a property work again',
  done: 'The locks of the property work again.',
  body: Type.Object({}),
  async run(room, { params }) {
    await room.modules.lock.controls.removeScenario(params)
    return params
  },
})

export const setReservationLocks = defineAction({
  ...ofReservation,
  name: 'lock.reservation-scenario',
  path: '/tenants/:tenantId/reservations/:reservationId/lock-scenario',
  summary: 'Set how locks behave for the keys of one reservation',
  done: 'The behaviour of the locks is changed for the reservation.',
  body: Scenario,
  async run(room, { params, body }) {
    const { scenario, times = null } = body
    await room.modules.lock.controls.setScenario(params, { scenario, times })
    return { ...params, scenario, times }
  },
})

export const restoreReservationLocks = defineAction({
  ...ofReservation,
  name: 'lock.restore-reservation',
  path: '/tenants/:tenantId/reservations/:reservationId/lock-scenario/remove',
  summary: 'Let locks work again for the keys of one reservation',
  done: 'The locks work again for the reservation.',
  body: Type.Object({}),
  async run(room, { params }) {
    await room.modules.lock.controls.removeScenario(params)
    return params
  },
})

export const setGateway = defineAction({
  ...ofProperty,
  name: 'lock.gateway',
  path: '/tenants/:tenantId/properties/:propertyId/lock-gateway',
  summary: 'Disconnect or connect the gateway of the locks',
  done: 'The gateway is changed.',
  body: Type.Object({ gateway: Type.Enum(['online', 'offline']) }),
  async run(room, { params, body }) {
    await room.modules.lock.controls.setGateway(params, body.gateway)
    return { ...params, ...body }
  },
})

export const setVendor = defineAction({
  ...ofProperty,
  name: 'lock.vendor',
  path: '/tenants/:tenantId/properties/:propertyId/lock-vendor',
  summary: 'Replace the lock system of a property; keys keep the vendor that issued them',
  done: 'The lock system is replaced.',
  body: Type.Object({ vendor: Type.Enum([...LOCK_VENDORS]) }),
  async run(room, { params, body }) {
    await room.modules.lock.controls.setVendor(params, body.vendor)
    return { ...params, ...body }
  },
})

export const sendLockResponse = defineAction({
  name: 'lock.respond',
  path: '/tenants/:tenantId/lock-requests/:requestId/respond',
  summary: 'Send another response of the vendor to a request',
  done: 'The vendor responds.',
  section: 'locks',
  params: Type.Object({
    tenantId: id('tnt'),
    requestId: Type.String({ pattern: '^[A-Za-z0-9_-]{16,64}$' }),
  }),
  body: Type.Object({ response: Type.Enum([...SENT_RESPONSES]) }),
  async run(room, { params, body }) {
    await room.modules.lock.controls.sendResponse(params, body.response)
    return { ...params, ...body }
  },
})
