import type { Database } from '@melmastoon/chassis/db'
import type { ModuleHost } from '../../module.ts'
import type { PropertyModule } from '../property/module.ts'

export interface LockSiblings {
  readonly property: Pick<PropertyModule, 'roomIdsOf'>
}

/** What the operations of this module depend on. */
export interface LockHost extends LockSiblings {
  readonly db: Database
  readonly registry: ModuleHost['registry']
  /** Of a response that is late. */
  readonly lateMs: number
  /** PINs are derived with it. */
  readonly pinKey: string
}
