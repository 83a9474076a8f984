import { inject } from 'vitest'

export interface TestInfra {
  readonly postgresUrl: string
  readonly redisSessionUrl: string
  readonly redisCacheUrl: string
}

declare module 'vitest' {
  interface ProvidedContext {
    infra: TestInfra
  }
}

/** The servers that the global set-up started for this run. */
export function testInfra(): TestInfra {
  return inject('infra')
}
