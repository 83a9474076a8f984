import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import type { Operator } from '@melmastoon/upstream-contracts/tenant'
import type { StreamEvent } from '../../src/streams/stream-event.ts'
import type { BackofficeWithFakes } from '../harness/start-with-fakes.ts'
import { TestDevice } from '../harness/test-device.ts'

/** One tenant with one property, and what its devices need. */
export class StreamFixture {
  readonly tenantId: TenantId = newId('tnt')
  readonly propertyId: PropertyId = newId('ppt')
  readonly running: BackofficeWithFakes
  #published = 0

  constructor(running: BackofficeWithFakes) {
    this.running = running
  }

  async device(change: Partial<Operator> = {}): Promise<TestDevice> {
    const { platform } = this.running
    const operator = platform.newOperator({ properties: [this.propertyId], ...change })
    return await TestDevice.signIn(platform, operator, this.tenantId)
  }

  /** Numbered in the order in which they are published. */
  event(change: Partial<StreamEvent> = {}): StreamEvent {
    this.#published += 1
    const n = this.#published
    return {
      channel: 'arrivals',
      propertyId: this.propertyId,
      type: 'reservation.confirmed',
      ...change,
      data: { n, ...change.data },
    }
  }

  async publish(count = 1, change: Partial<StreamEvent> = {}): Promise<void> {
    const events = Array.from({ length: count }, () => this.event(change))
    await this.running.service.ctx.streams.publish(this.tenantId, events)
  }
}

/** `arrivals 1`, `arrivals 2`, … */
export function arrivals(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, at) => `arrivals ${from + at}`)
}
