import { type CurrencyCode, formatMoney, type Locale, money } from '@melmastoon/domain'
import type { Watch } from '../traveller/open-client.ts'
import { type Say, sayTo } from '../traveller/say.ts'
import type { ControlRoom } from './control-room.ts'

export const LOCALE: Locale = 'fa-AF'

export interface Demo {
  /** Like that of the traveller, with the time that the requests of a step took. */
  readonly say: Say & { title(text: string): void }
  readonly watch: Watch
  readonly consumerUrl: string
  readonly bookingUrl: string
  readonly room: ControlRoom
  readonly today: Date
}

export type DemoOptions = Pick<Demo, 'consumerUrl' | 'bookingUrl' | 'room' | 'today'>

export function createDemo(options: DemoOptions, write: (line: string) => void): Demo {
  let spentMs = 0
  const inner = sayTo(write)
  return {
    ...options,
    watch: (ms) => {
      spentMs += ms
    },
    say: {
      title: (text) => write(`\n── ${text}`),
      step(text) {
        inner.step(spentMs === 0 ? text : `${text} (${Math.round(spentMs)} ms)`)
        spentMs = 0
      },
      detail: (text) => inner.detail(text),
    },
  }
}

export function showAmount(amount: { amountMinor: number; currency: string }): string {
  return formatMoney(money(amount.amountMinor, amount.currency as CurrencyCode), LOCALE)
}

/** A step that did not end as expected: the demo stops with this message. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure'
}

export function expectThat(condition: boolean, message: string): asserts condition {
  if (!condition) throw new DemoFailure(message)
}
