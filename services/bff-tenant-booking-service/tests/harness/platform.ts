import { createDeadline } from '@melmastoon/chassis/clock'
import { createUpstream } from '@melmastoon/chassis/upstream'
import { newId, type TenantId } from '@melmastoon/domain'
import {
  type Contract,
  createUpstreamClient,
  type Operations,
  type UpstreamClient,
} from '@melmastoon/upstream-contracts'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { tenantContract } from '@melmastoon/upstream-contracts/tenant'
import { themeContract } from '@melmastoon/upstream-contracts/theme'
import { SERVICE_SECRET } from './booking-environment.ts'

const DEADLINE_MS = 10_000

/** A client of one upstream of the sandbox, as another service of the platform. */
export function upstreamClient<O extends Operations>(
  contract: Contract<O>,
  url: string,
): UpstreamClient<O> {
  const upstream = createUpstream({
    name: contract.upstream,
    baseUrl: `${url}/upstreams/${contract.upstream}`,
    timeoutMs: DEADLINE_MS,
    retries: 0,
    authorize: sharedSecretAuth('test-service', SERVICE_SECRET).headers,
  })
  return createUpstreamClient(contract, upstream)
}

/** Changes tenants and themes, as operators and hotels do. */
export function createPlatform(url: string) {
  const tenants = upstreamClient(tenantContract, url)
  const themes = upstreamClient(themeContract, url)
  const within = async <T>(work: (deadline: ReturnType<typeof createDeadline>) => Promise<T>) => {
    using deadline = createDeadline(DEADLINE_MS)
    return await work(deadline)
  }
  const change = (tenantId: TenantId, deadline: ReturnType<typeof createDeadline>) => ({
    deadline,
    tenantId,
    idempotencyKey: newId('req'),
  })
  return {
    tenant: (slug: string) =>
      within((deadline) => tenants.resolveSlug({ params: { slug } }, { deadline })),
    suspend: (tenantId: TenantId) =>
      within((deadline) =>
        tenants.suspend(
          { params: { tenantId }, body: { reasonCode: 'unpaid' } },
          change(tenantId, deadline),
        ),
      ),
    reactivate: (tenantId: TenantId) =>
      within((deadline) =>
        tenants.reactivate({ params: { tenantId }, body: {} }, change(tenantId, deadline)),
      ),
    addDomain: (tenantId: TenantId, domain: string) =>
      within((deadline) =>
        tenants.addDomain({ params: { tenantId }, body: { domain } }, change(tenantId, deadline)),
      ),
    /** Changes settings, whatever the current version. */
    configure: (
      tenantId: TenantId,
      changes: Parameters<typeof tenants.updateConfig>[0]['body']['changes'],
    ) =>
      within(async (deadline) => {
        const { config } = await tenants.getTenant({ params: { tenantId } }, { deadline })
        const body = { expectedVersion: config.version, changes }
        return await tenants.updateConfig(
          { params: { tenantId }, body },
          change(tenantId, deadline),
        )
      }),
    /** Publishes a new version of the theme with another brand name. */
    publishTheme: (tenantId: TenantId, brandName: string) =>
      within(async (deadline) => {
        const params = { tenantId }
        const { layoutPreset, tokens, flow } = await themes.getPublished({ params }, { deadline })
        const body = { brandName: { default: brandName }, layoutPreset, tokens, flow }
        const draft = await themes.createVersion({ params, body }, change(tenantId, deadline))
        const { version } = draft
        return await themes.publishVersion(
          { params: { tenantId, version }, body: {} },
          change(tenantId, deadline),
        )
      }),
  }
}
