export { diffOpenApi } from './diff-openapi.ts'
export type { Breaking } from './diff-schema.ts'
