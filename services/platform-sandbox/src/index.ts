export { readConfig } from './config.ts'
export { SANDBOX_SCHEMA, sandboxMigrations } from './migrations.ts'
export { seedWorld } from './seeding/seed-world.ts'
export { createSandbox, type Sandbox } from './service.ts'
