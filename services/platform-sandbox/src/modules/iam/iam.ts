import type { iamContract } from '@melmastoon/upstream-contracts/iam'
import type { ModuleHost } from '../../module.ts'
import type { TenantModule } from '../tenant/module.ts'
import type { RefreshRules } from './decide-refresh.ts'

export type IamOperations = typeof iamContract.operations

export interface Siblings {
  readonly tenant: Pick<TenantModule, 'findOperator' | 'findTenantOfSlug'>
}

export interface IamHost
  extends Pick<ModuleHost, 'config' | 'db' | 'registry' | 'clock'>,
    Siblings {
  readonly refreshRules: RefreshRules
}
