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
  channelOf,
  createKeySpace,
  hashedPart,
  type KeyPrefix,
  type KeySpace,
} from './key-space.ts'
export {
  type ChannelListener,
  createSubscriber,
  type Subscriber,
  type Subscription,
} from './subscriber.ts'
