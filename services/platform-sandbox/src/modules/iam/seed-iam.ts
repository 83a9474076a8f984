import type { Database } from '@melmastoon/chassis/db'
import { idToUuid } from '@melmastoon/domain'
import { DEMO_STAFF } from '@melmastoon/upstream-contracts/iam/demo-staff'
import { planOperators } from '../../world/operators.ts'
import type { World } from '../../world/world.ts'
import { insertCredentials } from './credential-sql.ts'
import { hashPassword } from './password.ts'

/** All demo operators have the same, public password: one salt and one hash are enough. */
const DEMO_SALT = Buffer.from('demo staff, only')

/** After `seedOperators`. Idempotent: existing credentials stay unchanged. */
export async function seedIam(db: Database, world: World): Promise<void> {
  const { kty, crv, x } = DEMO_STAFF.authenticatorJwk
  const password_hash = await hashPassword(DEMO_STAFF.password, DEMO_SALT)
  const rows = planOperators(world).map(({ tenant, operatorId, username }) => ({
    tenant_id: idToUuid(tenant.tenantId),
    operator_id: idToUuid(operatorId),
    username,
    password_hash,
    totp_secret: DEMO_STAFF.totpSecret,
    authenticator_jwk: { kty, crv, x },
  }))
  if (rows.length > 0) await db.query(insertCredentials(rows))
}
