export type { Session, SessionLookup, SessionStore, SessionStoreOptions } from './session.ts'
export { createSessionStore } from './session-store.ts'
