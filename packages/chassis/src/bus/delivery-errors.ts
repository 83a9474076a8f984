/** Thrown by a handler that will never be able to process this message: dead letter at once. */
export class PoisonMessage extends Error {
  override readonly name = 'PoisonMessage'
}

/**
 * Thrown by a handler whose own dependency is away: the message is delivered again after a back-off and
 * no delivery is counted, so that an outage of ours buries nobody's message.
 */
export class DeliveryPostponed extends Error {
  override readonly name = 'DeliveryPostponed'
}
