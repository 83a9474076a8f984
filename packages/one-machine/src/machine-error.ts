export type MachineErrorCode =
  | 'ALREADY_RUNNING'
  | 'NOT_REACHABLE'
  | 'NOT_WRITABLE'
  | 'NO_NETWORK'
  | 'PORT_BUSY'
  | 'START_FAILED'
  | 'TOOL_MISSING'
  | 'TOOL_TOO_OLD'

/** A requirement that this machine does not fulfil; the message states how to fix it. */
export class MachineError extends Error {
  override readonly name = 'MachineError'
  readonly code: MachineErrorCode

  constructor(code: MachineErrorCode, sentence: string, options?: { cause?: unknown }) {
    super(sentence, options)
    this.code = code
  }
}
