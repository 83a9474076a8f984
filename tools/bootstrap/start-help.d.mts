export const SERVER_PORTS: {
  readonly MELMASTOON_POSTGRES_PORT: number
  readonly MELMASTOON_REDIS_SESSION_PORT: number
  readonly MELMASTOON_REDIS_CACHE_PORT: number
}
export function portVariable(name: string): string
export function startHelp(root: string): string
