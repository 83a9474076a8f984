/** Inside the platform, and as the gateway forwards it. The first one is documented. */
export const PREFIXES = ['/bff/backoffice/v1', '/api/bff/backoffice/v1'] as const
