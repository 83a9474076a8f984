export { createReplayStoreMemory } from './replay-store-memory.ts'
export { createReplayStoreRedis } from './replay-store-redis.ts'
export type { Session, SessionLookup, SessionStore, SessionStoreOptions } from './session.ts'
export { createSessionStore } from './session-store.ts'
