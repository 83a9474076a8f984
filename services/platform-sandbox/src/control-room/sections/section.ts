import type { Html } from '../../page/html.ts'
import type { ControlRoom, Operator } from '../control-room.ts'
import type { View } from '../view.ts'

/** What there is to see, what of it is asked for, and who looks. */
export interface Glance {
  readonly room: ControlRoom
  readonly view: View
  readonly operator: Operator
}

/** A part of the page that reads what it shows. */
export interface Section {
  readonly id: string
  readonly title: string
  show(glance: Glance): Promise<Html>
}
