import {
  failureIsDefinite,
  nothingIsDue,
  oneEndPerDraft,
  openRecordsAreDue,
  successAfterCommit,
} from './end-invariants.ts'
import { HistoryInvariants } from './history-invariants.ts'
import {
  amountsAgree,
  everyPaymentHasOneEnd,
  oneOpenPayment,
  onePaymentPerDraft,
  refundsWithinCaptures,
} from './money-invariants.ts'
import type { Observation, Violation } from './observation.ts'
import { cancelBeforeRefund, oneStayPerDraft, roomsSoldAreStays } from './stay-invariants.ts'

type Check = (observation: Observation) => Violation[]

/** Hold after every task. */
const ALWAYS: readonly Check[] = [
  oneOpenPayment,
  oneStayPerDraft,
  refundsWithinCaptures,
  cancelBeforeRefund,
  amountsAgree,
  successAfterCommit,
  failureIsDefinite,
  oneEndPerDraft,
  openRecordsAreDue,
]

/** Hold once the faults have ended and everything due was done. */
const FINALLY: readonly Check[] = [
  ...ALWAYS,
  everyPaymentHasOneEnd,
  onePaymentPerDraft,
  roomsSoldAreStays,
  nothingIsDue,
]

/** The invariants of one history; F11's other half is checked by the scheduler. */
export class Invariants {
  readonly #history = new HistoryInvariants()

  /** After every task. */
  observe(observation: Observation): Violation[] {
    return [...this.#history.observe(observation), ...checkAll(ALWAYS, observation)]
  }

  /** After the drain. */
  conclude(observation: Observation): Violation[] {
    return [...this.#history.observe(observation), ...checkAll(FINALLY, observation)]
  }
}

function checkAll(checks: readonly Check[], observation: Observation): Violation[] {
  return checks.flatMap((check) => check(observation))
}
