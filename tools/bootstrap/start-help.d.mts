export declare const SERVER_PORTS: {
  readonly MELMASTOON_POSTGRES_PORT: number
  readonly MELMASTOON_REDIS_SESSION_PORT: number
  readonly MELMASTOON_REDIS_CACHE_PORT: number
}
export declare function portVariable(name: string): string
export declare function startHelp(root: string): string
