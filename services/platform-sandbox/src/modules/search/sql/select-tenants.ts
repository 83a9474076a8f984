import { sql } from '@melmastoon/chassis/db'
import { type ChangeWindow, withinWindow } from './change-window.ts'

export interface ChangedTenant {
  tenant_id: string
  is_suspended: boolean
  updated_seq: number
}

export function selectTenants(window: ChangeWindow) {
  return sql<ChangedTenant>`
    select tenant_id, is_suspended, updated_seq from sandbox.search_tenant ${withinWindow(window)}`
}
