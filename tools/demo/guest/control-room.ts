import type { PaymentIntentId, TenantId } from '@melmastoon/domain'
import { sharedSecretAuth } from '@melmastoon/upstream-contracts/auth'
import { DemoFailure } from '../shared/demo-failure.ts'
import { postToControlRoom } from '../shared/post-to-control-room.ts'

export interface ControlRoomOptions {
  readonly url: string
  /** Of calls between services; to find the reservation of a payment. */
  readonly serviceSecret: string
}

interface NightRef {
  readonly tenantId: TenantId
  readonly propertyId: string
  readonly nights: readonly string[]
}

/** What operators of the sandbox can cause: an expired hold, a night that is sold out. */
export class ControlRoom {
  readonly #options: ControlRoomOptions

  constructor(options: ControlRoomOptions) {
    this.#options = options
  }

  /** The page of the provider, at the address of this sandbox. */
  page(url: string): URL {
    const { pathname, search } = new URL(url)
    return new URL(`${pathname}${search}`, this.#options.url)
  }

  async reservationOf(tenantId: TenantId, paymentIntentId: PaymentIntentId): Promise<string> {
    const auth = sharedSecretAuth('bff-tenant-booking-service', this.#options.serviceSecret)
    const headers = { ...auth.headers(), 'x-tenant-id': tenantId }
    const path = `/upstreams/payment/api/v1/payments/intents/${paymentIntentId}`
    const url = new URL(path, this.#options.url)
    const response = await fetch(url, { headers })
    const { reservationId } = (await response.json()) as { reservationId?: string }
    if (reservationId === undefined) {
      throw new DemoFailure(`the payment service has no reservation for ${paymentIntentId}`)
    }
    return reservationId
  }

  async expireHold(tenantId: TenantId, reservationId: string): Promise<void> {
    await this.#act(`tenants/${tenantId}/reservations/${reservationId}/expire-hold`)
  }

  async sellOut({ tenantId, propertyId, nights }: NightRef): Promise<void> {
    for (const night of nights)
      await this.#act(nightPath({ tenantId, propertyId, night }, 'sell-out'))
  }

  async reopen({ tenantId, propertyId, nights }: NightRef): Promise<void> {
    for (const night of nights) await this.#act(nightPath({ tenantId, propertyId, night }, 'open'))
  }

  async #act(path: string): Promise<void> {
    await postToControlRoom(this.#options.url, path)
  }
}

function nightPath(
  { tenantId, propertyId, night }: Omit<NightRef, 'nights'> & { readonly night: string },
  verb: 'sell-out' | 'open',
): string {
  return `tenants/${tenantId}/properties/${propertyId}/nights/${night}/${verb}`
}
