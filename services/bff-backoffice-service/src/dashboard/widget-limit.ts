import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { createDeadline, type Deadline } from '@melmastoon/chassis/clock'

/** How long each widget may take. All start at the same time, and so they share a deadline. */
export class WidgetLimit {
  readonly #widgetMs: number
  readonly #request: Pick<UpstreamCall, 'deadline'>
  #deadline: Deadline | null = null

  constructor(widgetMs: number, request: Pick<UpstreamCall, 'deadline'>) {
    this.#widgetMs = widgetMs
    this.#request = request
  }

  /** Created on first use: a dashboard whose widgets are all cached needs none. */
  get deadline(): Deadline {
    const { deadline } = this.#request
    const waitMs = Math.min(this.#widgetMs, deadline.remainingMs())
    this.#deadline ??= createDeadline(waitMs, { parent: deadline.signal })
    return this.#deadline
  }

  endAfter(widgets: readonly Promise<unknown>[]): void {
    if (this.#deadline === null) return
    void Promise.allSettled(widgets).then(() => this.#deadline?.[Symbol.dispose]())
  }
}
