import type { PoliciesDeps } from '../policies/read-policies.ts'
import type { FanoutLatency } from './read-bootstrap.ts'
import type { ThemeDeps } from './theme.ts'

type Upstreams = PoliciesDeps['upstreams'] & ThemeDeps['upstreams']

/** The upstreams of one request, and how long the calls that it caused have taken. */
export function measureFanout({ tenant, theme, property }: Upstreams) {
  const latency: { -readonly [N in keyof FanoutLatency]: FanoutLatency[N] } = {
    tenant: null,
    theme: null,
    policies: null,
  }
  const timed = async <T>(name: keyof FanoutLatency, call: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now()
    try {
      return await call()
    } finally {
      const spentMs = Math.round(performance.now() - startedMs)
      latency[name] = (latency[name] ?? 0) + spentMs
    }
  }
  const upstreams: Upstreams = {
    tenant: { ...tenant, getTenant: (...args) => timed('tenant', () => tenant.getTenant(...args)) },
    theme: {
      ...theme,
      getPublished: (...args) => timed('theme', () => theme.getPublished(...args)),
    },
    property: {
      ...property,
      listByTenant: (...args) => timed('policies', () => property.listByTenant(...args)),
    },
  }
  return { upstreams, latency: (): FanoutLatency => ({ ...latency }) }
}
