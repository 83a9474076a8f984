import type { OpenApiOptions } from '@melmastoon/chassis/http'

const description = `All upstream services of the platform in one process, for one machine and for tests.

Upstreams are below \`/upstreams\`, each at its own base path. To try an operation, choose “Authorize”: the secret is the
\`SERVICE_SECRET\` of the process (\`npm start\` generates it), and the name of the calling service is any name such as
\`docs\`. Operations of a tenant need its id, mutations an \`idempotency-key\`. The control room at \`/admin\` needs neither.
`

/** Of every operation of an upstream contract; the tenant only where it is scoped to one. */
export function securityOf(isTenantScoped: boolean) {
  return [{ serviceSecret: [], callingService: [], ...(isTenantScoped && { tenant: [] }) }]
}

/** Of the operation that devices call. */
export const SYNC_SECURITY = [{ syncToken: [] }]

export const apiDescription: OpenApiOptions = {
  title: 'Melmastoon platform sandbox',
  version: '3.0.0',
  description,
  security: {
    schemes: {
      serviceSecret: {
        type: 'http',
        scheme: 'bearer',
        description: 'The secret that the services of the platform share (`SERVICE_SECRET`).',
      },
      callingService: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Calling-Service',
        description: 'The name of the calling service: lower-case letters, digits and dashes.',
      },
      tenant: {
        type: 'apiKey',
        in: 'header',
        name: 'X-Tenant-Id',
        description: 'The tenant of the operation, `tnt_…`.',
      },
      syncToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of a sync handshake with the back office, for devices.',
      },
    },
    of: () => [],
  },
}
