import type { Tx } from '@melmastoon/chassis/db'
import { type EventHandler, on } from '@melmastoon/chassis/inbox'
import { appendEvents } from '@melmastoon/chassis/outbox'
import {
  type CurrencyCode,
  idToUuid,
  newId,
  type PropertyId,
  type ReservationId,
  type TenantId,
} from '@melmastoon/domain'
import type { EventContext, EventMessage } from '@melmastoon/events'
import {
  reservationCancelled,
  reservationCheckedIn,
  reservationCheckedOut,
  reservationConfirmed,
  reservationNoShow,
} from '@melmastoon/platform-events'
import { causeOfEvent } from '../../event-causes.ts'
import type { ModuleHost } from '../../module.ts'
import { moveFolioRow, refOf } from './change-folio.ts'
import { insertCharge, voidCharges } from './entry-sql.ts'
import { balanceOf, type FolioRow, folioIdOf, toSummary } from './folio.ts'
import { closedEvent, openedEvent } from './folio-events.ts'
import { type FolioRef, insertFolio, lockFolio, selectFolio } from './folio-sql.ts'

interface Stay {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId
  readonly reservationId: ReservationId
}

type PricedStay = Stay & {
  readonly total: { readonly amountMicro: string; readonly currency: string }
}

/** A folio follows its reservation: confirmed, checked in, checked out, or never arrived. */
export function followStays({ config }: Pick<ModuleHost, 'config'>): readonly EventHandler[] {
  const causeOf = (event: EventMessage) => causeOfEvent(event, config.instance)
  return [
    on(reservationConfirmed, {
      scope: 'tenant',
      handle: (tx, stay) => createFolio(tx, stay),
    }),
    on(reservationCheckedIn, {
      scope: 'tenant',
      async handle(tx, stay, event) {
        await createFolio(tx, stay)
        await openFolio(tx, stay, causeOf(event))
      },
    }),
    on(reservationCheckedOut, { scope: 'tenant', handle: (tx, stay) => endStay(tx, stay) }),
    on(reservationNoShow, {
      scope: 'tenant',
      handle: (tx, stay, event) => voidFolio(tx, stay, causeOf(event)),
    }),
    on(reservationCancelled, {
      scope: 'tenant',
      handle: (tx, stay, event) => voidFolio(tx, stay, causeOf(event)),
    }),
  ]
}

/** The agreed price is charged with the reservation, so that its balance is known on arrival. */
async function createFolio(tx: Tx, stay: PricedStay): Promise<void> {
  const ref = refOfStay(stay)
  const { amountMicro, currency } = stay.total
  const property = idToUuid(stay.propertyId)
  const folio = { ...ref, property, currency: currency as CurrencyCode }
  const [created] = await tx.query(insertFolio(folio))
  if (created === undefined || BigInt(amountMicro) <= 0n) return
  const charge = { ...ref, charge: idToUuid(newId('chg')), amountMicro, category: 'room' }
  const cause = { operator: null, causation: null }
  await tx.query(insertCharge({ ...charge, ...cause, description: 'Stay' }))
}

async function openFolio(tx: Tx, stay: Stay, cause: EventContext): Promise<void> {
  const folio = await lockStayFolio(tx, stay)
  if (folio?.status !== 'pending') return
  const opened = toSummary(await moveFolioRow(tx, refOfStay(stay), { to: 'open' }))
  const { tenantId } = stay
  await appendEvents(tx, [openedEvent({ tenantId, folio: opened, cause })])
}

async function endStay(tx: Tx, stay: Stay): Promise<void> {
  const folio = await lockStayFolio(tx, stay)
  if (folio === undefined || folio.status === 'closed') return
  const to = balanceOf(folio) > 0n ? 'balance_due' : 'settled'
  await moveFolioRow(tx, refOfStay(stay), { to })
}

/** Charges for guests who never came do not count; payments are refunded by the payment service. */
async function voidFolio(tx: Tx, stay: Stay, cause: EventContext): Promise<void> {
  const folio = await lockStayFolio(tx, stay)
  if (folio === undefined || folio.status === 'closed') return
  const ref = refOfStay(stay)
  await tx.query(voidCharges(ref))
  const closed = toSummary(await moveFolioRow(tx, ref, { to: 'closed' }))
  const { tenantId } = stay
  await appendEvents(tx, [closedEvent({ tenantId, folio: closed, cause })])
}

async function lockStayFolio(tx: Tx, stay: Stay): Promise<FolioRow | undefined> {
  const ref = refOfStay(stay)
  await tx.query(lockFolio(ref))
  const [folio] = await tx.query(selectFolio(ref))
  return folio
}

function refOfStay({ tenantId, reservationId }: Stay): FolioRef {
  return refOf(tenantId, folioIdOf(reservationId))
}
