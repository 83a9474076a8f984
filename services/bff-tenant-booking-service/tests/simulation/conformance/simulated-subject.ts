import { nightsOf } from '@melmastoon/domain'
import { createTestClock } from '@melmastoon/testkit'
import { createSimulatedUpstream, type SimulatedUpstream } from '../simulated-upstream.ts'
import type { Implementation, Operator } from './subject.ts'
import { TIME_ZONE, type World } from './world.ts'

/** The interpreter, with the same hotel and quotes. Its time stands still during a sequence. */
export function simulatedImplementation(world: World, nowMs: number): Implementation {
  const clock = createTestClock(new Date(nowMs))
  const upstream = createSimulatedUpstream(clock)
  const { tenantId, propertyId } = world
  const paymentMethods = ['card', 'cash_on_arrival', 'mobile_money'] as const
  upstream.tenants.add({ tenantId, country: 'AF', paymentMethods, isSuspended: false })
  for (const { roomTypeId, capacity } of world.roomTypes) {
    upstream.rooms.addType({ tenantId, propertyId, roomTypeId, capacity, timeZone: TIME_ZONE })
  }
  world.quotes.forEach((quote) => upstream.pricing.adopt(quote))
  return { clients: upstream.clients, operator: operatorOf(upstream, world, clock.nowMs()) }
}

function operatorOf(upstream: SimulatedUpstream, world: World, nowMs: number): Operator {
  const { rooms, payments, reservations, tenants } = upstream
  const { tenantId } = world
  return {
    async expireHold(reservationId) {
      const { allocationId } = reservations.get(tenantId, reservationId)
      const allocation = rooms.allocations.find((other) => other.allocationId === allocationId)
      if (allocation !== undefined) allocation.expiresAtMs = nowMs - 1
    },
    async sweepHolds() {
      rooms.sweep()
    },
    async expireIntent(id) {
      payments.setTimes(tenantId, id, { expiresAtMs: nowMs - 1 })
      payments.runJobs()
    },
    async settleDue(id) {
      payments.setTimes(tenantId, id, { settleAtMs: nowMs })
      payments.runJobs()
    },
    async pay({ paymentIntentId: id }, action, card) {
      if (action === 'pay') payments.pay(tenantId, id, card)
      else if (action === 'verify') payments.verify(tenantId, id)
      else if (action === 'decline') payments.decline(tenantId, id)
      else payments.payLate(tenantId, id, 1_200_000)
    },
    async suspend(isSuspended) {
      tenants.suspend(tenantId, isSuspended)
    },
    async inspect() {
      return { nights: nightsIn(upstream, world), webhooks: webhooksIn(upstream) }
    },
  }
}

function nightsIn({ rooms }: SimulatedUpstream, { roomTypes }: World) {
  return roomTypes.map(({ roomTypeId }) => {
    const count = (state: string) => {
      const nights: Record<string, number> = {}
      const counted = rooms.allocations.filter((allocation) => allocation.state === state)
      for (const { stay, items } of counted) {
        const taken = items.find((item) => item.roomTypeId === roomTypeId)?.rooms ?? 0
        for (const night of taken > 0 ? nightsOf(stay) : []) {
          nights[night] = (nights[night] ?? 0) + taken
        }
      }
      return nights
    }
    return { held: count('active'), sold: count('committed') }
  })
}

function webhooksIn({ payments }: SimulatedUpstream) {
  const order = payments.all().map(({ paymentIntentId }) => paymentIntentId)
  return payments.webhooks.toSorted((a, b) => {
    const [left, right] = [a.data.intent, b.data.intent]
    const byIntent = order.indexOf(left.paymentIntentId) - order.indexOf(right.paymentIntentId)
    return byIntent === 0 ? left.version - right.version : byIntent
  })
}
