export { type BusConfig, createBus } from './create-bus.ts'
export { DeliveryPostponed, MessagesLost, PoisonMessage, redactReason } from './delivery-errors.ts'
export type {
  Backoff,
  BusEpoch,
  EventBus,
  InboundMessage,
  MessageHandler,
  OutboundMessage,
  PublishOutcome,
  SubscribeOptions,
  Subscription,
} from './event-bus.ts'
export { createPubSubBus, type PubSubBusOptions } from './pubsub-bus.ts'
export { subscriptionName } from './pubsub-topology.ts'
export { createRedisStreamsBus, type RedisStreamsBusOptions } from './redis-streams-bus.ts'
export { deadStreamKey, streamKey } from './stream-keys.ts'
export { deadLetterName } from './subscribe-defaults.ts'
