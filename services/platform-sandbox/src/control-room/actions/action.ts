import type { Static, TObject } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'

export type SectionName =
  | 'upstreams'
  | 'tenants'
  | 'theme'
  | 'hotel'
  | 'front-desk'
  | 'rooms'
  | 'work-orders'
  | 'payments'
  | 'staff'
  | 'locks'
  | 'alerts'
  | 'suggestions'
  | 'sync'

/** One action of the control room: a form on the page, and a JSON route for scripts. */
export interface Action<P extends TObject = TObject, B extends TObject = TObject> {
  /** `upstream.break` */
  readonly name: string
  /** Below `/admin`, and `/admin/api` for scripts; `:name` is a member of `params`. */
  readonly path: string
  readonly summary: string
  /** Shown on the page afterwards. */
  readonly done: string
  /** The section with its button. */
  readonly section: SectionName
  readonly params: P
  readonly body: B
  /** Returns the new state, for scripts. */
  run(
    room: ControlRoom,
    input: { readonly params: Static<P>; readonly body: Static<B> },
    operator: Operator,
  ): Promise<object>
}

export function defineAction<P extends TObject, B extends TObject>(
  action: Action<P, B>,
): Action<P, B> {
  return action
}

export function fillPath(path: string, params: Readonly<Record<string, string>>): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
