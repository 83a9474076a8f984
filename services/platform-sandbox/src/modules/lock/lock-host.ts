import type { Database } from '@melmastoon/chassis/db'
import type { PropertyId, RoomId, TenantId } from '@melmastoon/domain'
import type { ModuleHost } from '../../module.ts'

export interface LockSiblings {
  /** Throws `PROPERTY.NOT_FOUND` for a property of another tenant. */
  readonly roomsOf: (tenantId: TenantId, propertyId: PropertyId) => Promise<ReadonlySet<RoomId>>
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
