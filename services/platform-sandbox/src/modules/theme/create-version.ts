import { idToUuid, newId, problem } from '@melmastoon/domain'
import type { InputOf } from '@melmastoon/upstream-contracts'
import type { ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import type { CallOf } from '../../contract-handlers.ts'
import type { ModuleHost } from '../../module.ts'
import type { TenantModule } from '../tenant/module.ts'
import { checkContrast } from './check-contrast.ts'
import { checkFlow } from './check-flow.ts'
import { type ThemeOperations, toThemeVersion } from './theme.ts'
import { insertVersion, takeVersionNumber } from './theme-sql.ts'

type Operation = ThemeOperations['createVersion']

export interface ThemeSiblings {
  readonly tenant: Pick<TenantModule, 'findTenant'>
}

/** Unreadable colours are rejected; the first version creates the theme. */
export async function createVersion(
  host: ModuleHost & ThemeSiblings,
  { params, body: draft }: InputOf<Operation>,
  call: CallOf<Operation>,
): Promise<ThemeVersion> {
  const isOwn = params.tenantId === call.tenantId
  if (!isOwn || (await host.tenant.findTenant(call.tenantId)) === null) {
    throw problem('MELMASTOON.THEME.NOT_FOUND')
  }
  checkContrast(draft.tokens)
  checkFlow(draft.flow.steps)
  const tenant = idToUuid(call.tenantId)
  return await host.db.transaction(async (tx) => {
    const [number] = await tx.query(takeVersionNumber(tenant, idToUuid(newId('thm'))))
    if (number === undefined) throw new TypeError('no version number was assigned')
    const [row] = await tx.query(insertVersion({ tenant, number, draft }))
    if (row === undefined) throw new TypeError('no version was inserted')
    return await call.finish(tx, toThemeVersion(row, host.config.publicUrl))
  })
}
