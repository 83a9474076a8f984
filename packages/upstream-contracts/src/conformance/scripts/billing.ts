import { setTimeout as sleep } from 'node:timers/promises'
import type { TenantId } from '@melmastoon/domain'
import type { FolioStatus, FolioSummary } from '../../billing/contract.ts'
import { ContractViolation } from '../check.ts'
import type { Clients, Script } from '../clients.ts'
import { findArrivals } from '../find-arrivals.ts'
import { staffChange } from './staff-change.ts'

/** A folio follows the events of its reservation. */
const FOLLOWS_WITHIN_MS = 10_000
const POLL_MS = 100

export const billingScript: Script = {
  upstream: 'billing',
  async run({ clients }) {
    const { billing, reservation } = clients
    const { tenantId, propertyId, stays } = await findArrivals(clients, 1)
    const own = { tenantId }
    const [stay] = stays
    if (stay === undefined) return
    const params = { reservationId: stay.reservationId }
    await reservation.checkIn({ params, body: staffChange() }, own)
    const query = { reservationIds: stay.reservationId }
    const list = () => billing.listFolios({ params: { propertyId }, query }, own)
    const folio = await waitFor('open', async () => (await list()).folios.at(0))
    const { folioId, currency } = folio
    const of = { params: { folioId } }
    const amount = { amountMicro: '1000000', currency }
    const change = { ...staffChange(), expectedVersion: folio.version }
    const body = { amount, category: 'minibar', description: 'Water', ...change } as const
    await billing.postCharge({ ...of, body }, own)
    const { causationId } = change
    await billing.findCharge({ params: { folioId, causationId } }, own)
    const { balance } = await billing.getFolio(of, own)
    const payment = { amount: balance, method: 'cash', ...staffChange() } as const
    await billing.recordPayment({ ...of, body: payment }, own)
    await reservation.checkOut({ params, body: staffChange() }, own)
    await waitFor('settled', () => readFolio(clients, tenantId, folioId))
    await billing.closeFolio({ ...of, body: staffChange() }, own)
  },
}

function readFolio({ billing }: Clients, tenantId: TenantId, folioId: FolioSummary['folioId']) {
  return billing.getFolio({ params: { folioId } }, { tenantId })
}

async function waitFor(
  status: FolioStatus,
  read: () => Promise<FolioSummary | undefined>,
): Promise<FolioSummary> {
  const untilMs = performance.now() + FOLLOWS_WITHIN_MS
  for (;;) {
    const folio = await read()
    if (folio?.status === status) return folio
    if (performance.now() > untilMs) throw new ContractViolation(`the folio is not ${status}`)
    await sleep(POLL_MS)
  }
}
