export { createFastServer, FastPath } from './fast-path.ts'
export { decidedFor, type FastRequest } from './fast-request.ts'
export type { FastResponder, FastRoutes, ReadyResponse } from './fast-route.ts'
