export { type BackofficeConfig, backofficeConfig } from './config.ts'
export type { BackofficeContext, ContextOverrides } from './context.ts'
export { service as backofficeService } from './service.ts'
