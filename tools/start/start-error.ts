/** A failure that a person can act upon: shown as one message, without a stack. */
export class StartError extends Error {
  override readonly name = 'StartError'
}
