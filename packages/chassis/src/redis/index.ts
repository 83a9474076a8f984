export type { Redis } from 'ioredis'
export {
  acceptsCommands,
  createRedis,
  isReady,
  type RedisSettings,
  reconnectDelayMs,
  waitUntilReady,
} from './create-redis.ts'
export {
  defineScript,
  type Script,
  type ScriptArgument,
  type ScriptDefinition,
} from './define-script.ts'
export {
  createExpirySet,
  type Expiry,
  type ExpirySet,
  type ExpirySetOptions,
} from './expiry-set.ts'
export {
  channelOf,
  createKeySpace,
  hashedPart,
  type KeyPrefix,
  type KeySpace,
} from './key-space.ts'
export {
  createRecordStore,
  type RecordStore,
  type RecordStoreOptions,
  type VersionedRecord,
} from './record-store.ts'
export {
  type ChannelListener,
  createSubscriber,
  type Subscriber,
  type Subscription,
} from './subscriber.ts'
