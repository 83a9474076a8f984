import { newId } from '@melmastoon/domain'
import { ExampleRequests, type ExampleSubstitutes } from '@melmastoon/testkit'
import { contracts } from './backoffice-environment.ts'
import { type Staff, type StaffResponse, signIn } from './staff.ts'
import type { Backoffice } from './start-backoffice.ts'

export type Json = Readonly<Record<string, unknown>>

export interface Exchange {
  readonly operation: string
  readonly body: unknown
  readonly response: StaffResponse<Json>
}

const BASE = '/bff/backoffice/v1'

/**
 * A working day that uses the example of every operation, each request as it is documented. Tests
 * look at what it leaves behind.
 */
export class Journey {
  readonly examples: ExampleRequests
  readonly exchanges: Exchange[] = []
  readonly #office: Backoffice
  readonly #options: JourneyOptions

  private constructor(office: Backoffice, examples: ExampleRequests, options = {}) {
    this.#office = office
    this.#options = options
    this.examples = examples
  }

  static async prepare(office: Backoffice, options: JourneyOptions = {}): Promise<Journey> {
    return new Journey(office, await ExampleRequests.read(contracts), options)
  }

  signIn(username: string): Promise<Staff> {
    const { slug, url } = this.#options
    return signIn(this.#office, username, {
      ...(slug !== undefined && { slug }),
      ...(url !== undefined && { url }),
    })
  }

  /** An alert and a suggestion for the front desk, also on days on which there are none. */
  async fillInboxes({ tokens }: Staff, propertyId: string): Promise<void> {
    const base = `/admin/api/tenants/${tokens.tenantId}/properties/${propertyId}`
    const { sandbox } = this.#office
    await sandbox.post(`${base}/alerts/raise`, { json: { category: 'late_arrival' } })
    await sandbox.post(`${base}/suggestions/propose`, { json: { category: 'overbooking_warning' } })
  }

  /** Sends the example of an operation; what is rejected ends the journey. */
  async send(staff: Staff, id: string, substitutes: ExampleSubstitutes = {}): Promise<Json> {
    const response = await this.attempt(staff, id, substitutes)
    const { status, body } = response
    if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async attempt(
    staff: Staff,
    id: string,
    { parameters, body }: ExampleSubstitutes = {},
  ): Promise<StaffResponse<Json>> {
    const own = { ...body, ...this.#options.bodies?.[id] }
    const request = this.examples.requestOf(id, {
      ...(parameters !== undefined && { parameters }),
      ...(Object.keys(own).length > 0 && { body: own }),
    })
    const response = await staff.request<Json>(request.path.replace(BASE, ''), {
      method: request.method,
      ...(request.body !== undefined && { json: request.body }),
      headers: { accept: 'application/json', ...request.headers, ...this.#options.headers },
      idempotencyKey: this.#options.newKey?.() ?? newId('req'),
    })
    this.exchanges.push({ operation: id, body: request.body, response })
    return response
  }
}

export interface JourneyOptions {
  readonly slug?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly newKey?: () => string
  /** Members of bodies by operation, instead of those of the example. */
  readonly bodies?: Readonly<Record<string, Json>>
}
