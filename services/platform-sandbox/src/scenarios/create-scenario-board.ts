import { everyTick } from '@melmastoon/chassis/clock'
import type { WorkSource } from '@melmastoon/chassis/concurrency'
import type { Database, Statement } from '@melmastoon/chassis/db'
import { BoardState, faultName, WEBHOOK_DELIVERY } from './board-state.ts'
import type { ScenarioControl } from './scenario-board.ts'
import {
  dropAllFaults,
  dropSettings,
  incrementVersion,
  putSetting,
  readSettings,
  SCENARIOS_TOPIC,
  takeFaultTurn,
} from './scenario-sql.ts'

export interface ScenarioBoardOptions {
  readonly db: Database
  /** Reports changes by other processes. */
  readonly source: WorkSource
  readonly onError: (error: unknown) => void
  readonly pollMs?: number
}

export interface StartedBoard extends ScenarioControl, Disposable {
  /** Reads the settings, then polls for changes by other processes. */
  start(): Promise<void>
}

/** Several polls a second apply a change within one second even when one of them fails. */
const POLL_MS = 250
/** One in five seconds is enough while changes are announced. */
const ANNOUNCED_POLLS = 20

export function createScenarioBoard(options: ScenarioBoardOptions): StartedBoard {
  const { db, source, onError, pollMs = POLL_MS } = options
  let state = new BoardState([])
  let version = -1
  let polls: Disposable | undefined

  async function refresh(): Promise<void> {
    const rows = await db.query(readSettings(version))
    const [first] = rows
    // A slow poll must not overwrite the result of a later one.
    if (first === undefined || first.version <= version) return
    version = first.version
    state = new BoardState(
      rows.flatMap(({ name, value }) => (name === null ? [] : [{ name, value }])),
    )
  }

  async function change(statement: Statement<unknown>): Promise<void> {
    await db.transaction(async (tx) => {
      await tx.query(incrementVersion())
      await tx.query(statement)
    })
    await refresh()
  }

  async function takeTurn(setting: string): Promise<boolean> {
    const [taken] = await db.query(takeFaultTurn(setting))
    if (taken?.times === 0) await change(dropSettings(setting))
    return taken !== undefined
  }

  return {
    faultFor: (upstream, operation) => state.faultFor(upstream, operation),
    takeTurn: (upstream, operation) => takeTurn(state.settingFor(upstream, operation)),
    webhookDelivery: () => state.webhookDelivery,
    faultyParts: () => state.parts,
    setFault: (part) => change(putSetting(faultName(part), part.fault)),
    restorePart: (part) => change(dropSettings(faultName(part))),
    restoreAll: () => change(dropAllFaults()),
    setWebhookDelivery: (delivery) => change(putSetting(WEBHOOK_DELIVERY, delivery)),
    async start() {
      await refresh().catch(onError)
      polls ??= pollChanges(refresh, { source, pollMs, onError })
    },
    [Symbol.dispose]: () => polls?.[Symbol.dispose](),
  }
}

/** An outage is reported once, not with every poll. */
function pollChanges(
  look: () => Promise<void>,
  options: Pick<ScenarioBoardOptions, 'source' | 'onError'> & { readonly pollMs: number },
): Disposable {
  const { source, pollMs, onError } = options
  let isLooking = false
  let isFailing = false
  let polls = 0
  const lookOnce = async () => {
    if (isLooking) return
    isLooking = true
    try {
      await look()
      isFailing = false
    } catch (error) {
      if (!isFailing) onError(error)
      isFailing = true
    } finally {
      isLooking = false
    }
  }
  const poll = () => {
    polls += 1
    if (!source.isListening() || polls % ANNOUNCED_POLLS === 0) void lookOnce()
  }
  source.subscribe(SCENARIOS_TOPIC, () => void lookOnce())
  return everyTick(pollMs, poll)
}
