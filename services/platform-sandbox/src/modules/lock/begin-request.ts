import type { Tx } from '@melmastoon/chassis/db'
import { appendEvents } from '@melmastoon/chassis/outbox'
import { idToUuid, newId, problem } from '@melmastoon/domain'
import type { LockAction, LockVendor } from '@melmastoon/upstream-contracts/lock'
import { confirmedChange } from './apply-result.ts'
import { buildEvent, type Publishing } from './build-event.ts'
import { changeKey } from './change-key-row.ts'
import { type CredentialRow, countStoredKeys } from './credential-sql.ts'
import { type LockPropertyRow, lockProperty } from './lock-property-sql.ts'
import { type Exchange, planExchange } from './plan-exchange.ts'
import { countCommands, insertRequest, type KeyChange, type RequestRow } from './request-sql.ts'
import { insertResponses, type ResponseRef } from './response-sql.ts'
import type { LockScenario } from './scenarios.ts'
import { VENDORS } from './vendors/vendors.ts'

/** The gateway is occupied a little longer than the command takes. */
const GATEWAY_MARGIN_MS = 500

/** One action, as its caller has asked for it. */
export interface Command {
  readonly tenant: string
  readonly requestId: string
  readonly action: LockAction
  readonly property: string
  readonly rooms: readonly string[]
  readonly change: KeyChange
  readonly fingerprint: string
  readonly operator: string | null
  readonly causation: string | null
  readonly scenario: LockScenario | undefined
  readonly lateMs: number
  /** Creates the key, or locks it; called once the gateway has accepted the command. */
  takeKey(tx: Tx, vendor: LockVendor, exchange: Exchange): Promise<CredentialRow>
}

export interface Begun {
  readonly request: RequestRow
  /** The response that the caller waits for. */
  readonly awaited: { readonly ref: ResponseRef; readonly afterMs: number } | null
}

/** Records the request and the responses to come, before the vendor executes anything. */
export async function beginRequest(
  tx: Tx,
  command: Command,
  publishing: Publishing,
): Promise<Begun> {
  const place = await takeGateway(tx, command)
  const exchange = await plan(tx, command, place)
  const credential = await command.takeKey(tx, place.vendor, exchange)
  const request = await record(tx, { command, place, exchange, credential })
  const requested = { request, credential, result: 'requested', sequence: 0 } as const
  await appendEvents(tx, [buildEvent(publishing, requested)])
  // The key changes, but the request stays open and no event says so.
  if (exchange.isSilent) await changeKey(tx, { request, credential }, confirmedChange)
  return { request, awaited: await schedule(tx, request, exchange) }
}

async function takeGateway(tx: Tx, { tenant, property }: Command): Promise<LockPropertyRow> {
  const [place] = await tx.query(lockProperty({ tenant, property }))
  if (place === undefined) throw problem('MELMASTOON.PROPERTY.NOT_FOUND')
  return place
}

async function plan(tx: Tx, command: Command, place: LockPropertyRow): Promise<Exchange> {
  const { tenant, property, action, rooms, scenario, lateMs } = command
  const vendor = VENDORS[place.vendor]
  const [occupied] = await tx.query(countCommands(tenant, property))
  const [stored] = action === 'issue' ? await tx.query(countStoredKeys(tenant, rooms)) : []
  const exchange = planExchange(vendor, {
    action,
    scenario,
    gateway: place.gateway,
    isBusy: (occupied?.commands ?? 0) >= vendor.profile.commandsAtOnce,
    areSlotsFull: (stored?.keys ?? 0) >= place.slots_per_room,
    lateMs,
  })
  if (exchange === 'busy') throw problem('MELMASTOON.LOCK.GATEWAY_BUSY')
  return exchange
}

interface Recording {
  readonly command: Command
  readonly place: LockPropertyRow
  readonly exchange: Exchange
  readonly credential: CredentialRow
}

async function record(tx: Tx, recording: Recording): Promise<RequestRow> {
  const { command, place, exchange, credential } = recording
  const awaitedMs = exchange.isAwaited ? exchange.responses[0]?.afterMs : undefined
  const statement = insertRequest({
    tenant: command.tenant,
    request: command.requestId,
    key: credential.key_id,
    property: command.property,
    vendor: place.vendor,
    action: command.action,
    state: 'accepted',
    change: command.change,
    fingerprint: command.fingerprint,
    copies: exchange.copies ?? 1,
    isForgotten: exchange.isForgotten ?? false,
    gatewayMs: awaitedMs === undefined ? null : awaitedMs + GATEWAY_MARGIN_MS,
    operator: command.operator,
    causation: command.causation,
  })
  const [request] = await tx.query(statement)
  // Another call with this id has just begun; its caller reads it with the next attempt.
  if (request === undefined) throw problem('MELMASTOON.GENERAL.CONFLICT')
  return request
}

async function schedule(
  tx: Tx,
  { tenant_id: tenant, request_id: request }: RequestRow,
  { responses, isAwaited }: Exchange,
): Promise<Begun['awaited']> {
  const rows = responses.map(({ afterMs, sequence, response, awaitsGateway = false }) => ({
    response_id: idToUuid(newId('evt')),
    sequence,
    response,
    awaits_gateway: awaitsGateway,
    after_ms: afterMs,
  }))
  if (rows.length > 0) await tx.query(insertResponses({ tenant, request }, rows))
  const [first] = isAwaited ? rows : []
  if (first === undefined) return null
  return { ref: { tenant, response: first.response_id }, afterMs: first.after_ms }
}
