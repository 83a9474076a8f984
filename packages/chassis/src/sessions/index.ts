export { createReplayStoreMemory } from './replay-store-memory.ts'
export { createReplayStoreRedis } from './replay-store-redis.ts'
export type {
  AttachedWrite,
  PresentedCookie,
  Session,
  SessionLookup,
  SessionStore,
  SessionStoreOptions,
  StartedSession,
} from './session.ts'
export { createSessionStore } from './session-store.ts'
