export { sandboxConfig } from './config.ts'
export { seedWorld } from './seeding/seed-world.ts'
export { service as sandboxService } from './service.ts'
export { staffedTenants } from './world/generate-world.ts'
