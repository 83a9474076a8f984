/** Thrown by a handler that can never process this message: it is dead-lettered immediately. */
export class PoisonMessage extends Error {
  override readonly name = 'PoisonMessage'
}

/**
 * Thrown by a handler whose dependency is unavailable: the message is delivered again after a
 * back-off and no delivery is counted, so that an outage does not dead-letter messages.
 */
export class DeliveryPostponed extends Error {
  override readonly name = 'DeliveryPostponed'
}

/** Reported when the broker dropped messages before this subscription had acknowledged them. */
export class MessagesLost extends Error {
  override readonly name = 'MessagesLost'
  readonly subject: string
  readonly brokerIds: readonly string[]

  constructor(subject: string, brokerIds: readonly string[]) {
    super(`${brokerIds.length} unacknowledged messages of ${subject} were dropped by the broker`)
    this.subject = subject
    this.brokerIds = brokerIds
  }
}

const CHARS_MAX = 300

/** The reason given by a broker, validator or handler, without personal data (D13). */
export function redactReason(reason: string): string {
  return reason
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\S+@\S+/g, '[redacted]')
    .replaceAll(/"(?:[^"\\]|\\.){0,10000}"/g, '"[redacted]"')
    .replaceAll(/\+?\d[\d\s().-]{6,}\d/g, '[redacted]')
    .slice(0, CHARS_MAX)
}
