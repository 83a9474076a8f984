import type { Clock } from '@melmastoon/chassis/clock'
import type { KeySpace, Redis } from '@melmastoon/chassis/redis'
import { createReplayStoreRedis } from '@melmastoon/chassis/sessions'
import { problem } from '@melmastoon/domain'
import type { BackofficeConfig } from '../config.ts'
import type { Upstreams } from '../upstreams/create-upstreams.ts'
import type { Access } from './access.ts'

export interface AccessDeps {
  readonly config: BackofficeConfig
  readonly clock: Clock
  readonly keys: KeySpace
  readonly sessionRedis: Redis
  readonly upstreams: Upstreams
}

export function createAccess({ sessionRedis, keys }: AccessDeps): Access {
  createReplayStoreRedis(sessionRedis, keys.prefix('proof'))
  return {
    authenticate: () => Promise.reject(problem('MELMASTOON.SECURITY.TOKEN_INVALID')),
    nonce: () => '',
  }
}
