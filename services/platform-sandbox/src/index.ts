export { sandboxConfig } from './config.ts'
export { seedWorld } from './seeding/seed-world.ts'
export { service as sandboxService } from './service.ts'
