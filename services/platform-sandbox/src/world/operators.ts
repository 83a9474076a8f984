import type { Id, PropertyId } from '@melmastoon/domain'
import { SeededRandom } from './seeded-random.ts'
import type { World, WorldTenant } from './world.ts'
import { worldId } from './world-id.ts'

/** The members of staff of every detailed tenant, by user name. */
export const OPERATOR_NAMES = [
  'desk',
  'housekeeper',
  'housekeeping-lead',
  'technician',
  'manager',
  'owner',
] as const
export type OperatorName = (typeof OPERATOR_NAMES)[number]

interface Post {
  readonly role: 'front_desk' | 'housekeeping' | 'maintenance' | 'general_manager' | 'owner'
  readonly isLead?: true
  /** The first property, all present ones, or all present and future ones. */
  readonly scope: 'first' | 'present' | 'all'
  /** In nights of a usual room. */
  readonly chargeLimit?: number
}

const POSTS: Readonly<Record<OperatorName, Post>> = {
  desk: { role: 'front_desk', scope: 'first', chargeLimit: 2 },
  housekeeper: { role: 'housekeeping', scope: 'first' },
  'housekeeping-lead': { role: 'housekeeping', isLead: true, scope: 'present' },
  technician: { role: 'maintenance', isLead: true, scope: 'present' },
  manager: { role: 'general_manager', scope: 'present', chargeLimit: 20 },
  owner: { role: 'owner', scope: 'all' },
}

const FULL_NAMES = [
  'Ahmad Rahimi',
  'Zarghona Sadat',
  'Farid Noori',
  'Maryam Haidari',
  'Wali Stanekzai',
  'Laila Karimi',
  'Naseer Popal',
  'Shukria Amiri',
  'Habib Yousufzai',
  'Nargis Wardak',
]

export interface WorldOperator {
  readonly operatorId: Id<'opr'>
  readonly tenant: WorldTenant
  readonly username: OperatorName
  readonly displayName: string
  readonly role: Post['role']
  readonly isLead: boolean
  /** Null: all properties of the tenant. */
  readonly properties: readonly PropertyId[] | null
  readonly chargeLimitMicro: bigint | null
}

export function operatorIdOf(seed: string, tenantSlug: string, username: OperatorName): Id<'opr'> {
  return worldId('opr', seed, `${tenantSlug}:${username}`)
}

/** Not part of the digest of the world: determined by its tenants and properties. */
export function planOperators(world: World): WorldOperator[] {
  return world.tenants
    .filter(({ isRich }) => isRich)
    .flatMap((tenant) => {
      const random = SeededRandom.of(`${world.seed}:operators:${tenant.slug}`)
      const first = random.int(0, FULL_NAMES.length - 1)
      return OPERATOR_NAMES.map((username, index) =>
        planOperator(world, tenant, {
          username,
          displayName: FULL_NAMES[(first + index) % FULL_NAMES.length] ?? username,
        }),
      )
    })
}

function planOperator(
  { seed, properties }: World,
  tenant: WorldTenant,
  { username, displayName }: Pick<WorldOperator, 'username' | 'displayName'>,
): WorldOperator {
  const { role, isLead = false, scope, chargeLimit } = POSTS[username]
  const own = properties.filter(({ tenantId }) => tenantId === tenant.tenantId)
  const nightlyMicro = own[0]?.roomTypes[0]?.baseNightlyMicro ?? 0n
  const ids = own.map(({ propertyId }) => propertyId)
  return {
    operatorId: operatorIdOf(seed, tenant.slug, username),
    tenant,
    username,
    displayName,
    role,
    isLead,
    properties: scope === 'all' ? null : scope === 'first' ? ids.slice(0, 1) : ids,
    chargeLimitMicro: chargeLimit === undefined ? null : nightlyMicro * BigInt(chargeLimit),
  }
}
