import { newId } from '@melmastoon/domain'
import { type DocumentedOperation, readOperations } from '@melmastoon/testkit'
import { contracts } from './backoffice-environment.ts'
import { type Staff, type StaffResponse, signIn } from './staff.ts'
import type { Backoffice } from './start-backoffice.ts'

export type Json = Readonly<Record<string, unknown>>

/** Ids and versions of this run instead of those in the example. */
export interface Substitutes {
  readonly parameters?: Json
  readonly body?: Json
}

export interface Exchange {
  readonly operation: string
  readonly body: unknown
  readonly response: StaffResponse<Json>
}

const BASE = '/bff/backoffice/v1'
const HEADERS = ['idempotency-key', 'if-match', 'last-event-id']

/**
 * A working day that uses the example of every operation, each request as it is documented. Tests
 * look at what it leaves behind.
 */
export class Journey {
  readonly operations: ReadonlyMap<string, DocumentedOperation>
  readonly exchanges: Exchange[] = []
  readonly #office: Backoffice
  readonly #options: JourneyOptions

  private constructor(
    office: Backoffice,
    operations: readonly DocumentedOperation[],
    options = {},
  ) {
    this.#office = office
    this.#options = options
    this.operations = new Map(operations.map((operation) => [operation.id, operation]))
  }

  static async prepare(office: Backoffice, options: JourneyOptions = {}): Promise<Journey> {
    return new Journey(office, readOperations(await contracts.openApi()), options)
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
  async send(staff: Staff, id: string, substitutes: Substitutes = {}): Promise<Json> {
    const response = await this.attempt(staff, id, substitutes)
    const { status, body } = response
    if (status >= 300) throw new Error(`${id}: ${status} ${JSON.stringify(body)}`)
    return body
  }

  async attempt(
    staff: Staff,
    id: string,
    { parameters, body }: Substitutes = {},
  ): Promise<StaffResponse<Json>> {
    const operation = this.operations.get(id)
    if (operation === undefined) throw new Error(`no operation ${id}`)
    const values = { ...operation.parameters, ...parameters }
    const example = operation.request?.examples[0]
    const own = this.#options.bodies?.[id]
    const json = example === undefined ? body : { ...Object(example), ...body, ...own }
    const { method } = operation
    const response = await staff.request<Json>(pathOf(operation, values), {
      method,
      ...(json !== undefined && { json }),
      headers: { accept: 'application/json', ...this.#options.headers },
      idempotencyKey: this.#options.newKey?.() ?? newId('req'),
    })
    this.exchanges.push({ operation: id, body: json, response })
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

function pathOf({ path }: DocumentedOperation, values: Json): string {
  const filled = path.replace(BASE, '').replaceAll(/\{(\w+)\}/g, (_, name) => String(values[name]))
  const query = Object.entries(values).filter(
    ([name, value]) =>
      value !== undefined && !path.includes(`{${name}}`) && !HEADERS.includes(name),
  )
  const search = new URLSearchParams()
  for (const [name, value] of query) search.set(name, String(value))
  return query.length === 0 ? filled : `${filled}?${search.toString()}`
}
