import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { Value } from 'typebox/value'
import { Fault, type FaultyPart, isUpstreamName, type UpstreamPart } from './fault.ts'
import { WEBHOOK_DELIVERIES, type WebhookDelivery } from './scenario-board.ts'

export const WEBHOOK_DELIVERY = 'webhook-delivery'

export interface Setting {
  readonly name: string
  readonly value: unknown
}

const FAULT_NAME = /^fault:([a-z]+)(?:\.(\w+))?$/

export function faultName({ upstream, operation }: UpstreamPart): string {
  return operation === null ? `fault:${upstream}` : `fault:${upstream}.${operation}`
}

/**
 * The settings as one process sees them, replaced as a whole. Rows that it cannot parse, of a newer
 * or older version, are ignored.
 */
export class BoardState {
  readonly parts: readonly FaultyPart[]
  readonly webhookDelivery: WebhookDelivery
  readonly #faults: ReadonlyMap<string, Fault>

  constructor(settings: readonly Setting[]) {
    this.parts = settings.flatMap(readPart)
    this.#faults = new Map(this.parts.map((part) => [faultName(part), part.fault]))
    const delivery = settings.find(({ name }) => name === WEBHOOK_DELIVERY)?.value
    this.webhookDelivery = WEBHOOK_DELIVERIES.find((known) => known === delivery) ?? 'prompt'
  }

  /** The fault of an operation takes precedence over that of its upstream. */
  faultFor(upstream: UpstreamName, operation: string): Fault | undefined {
    return this.#faults.get(this.settingFor(upstream, operation))
  }

  /** The name of the setting that decides about this operation. */
  settingFor(upstream: UpstreamName, operation: string): string {
    if (this.#faults.size === 0) return ''
    const own = faultName({ upstream, operation })
    return this.#faults.has(own) ? own : faultName({ upstream, operation: null })
  }
}

function readPart({ name, value }: Setting): FaultyPart[] {
  const [, upstream, operation = null] = FAULT_NAME.exec(name) ?? []
  if (!isUpstreamName(upstream) || !Value.Check(Fault, value)) return []
  return [{ upstream, operation, fault: value }]
}
