import { newId, type PropertyId, type TenantId } from '@melmastoon/domain'
import { send } from '@melmastoon/testkit'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import type { Suggestion, SuggestionCategory } from '@melmastoon/upstream-contracts/ai'
import { PUBLIC_URL } from '../harness/backoffice-environment.ts'
import {
  type Backoffice,
  type BackofficeOptions,
  SLUG,
  startWithSandbox,
} from '../harness/start-backoffice.ts'
import { BASE } from '../harness/test-device.ts'

export interface JsonResponse {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

/** A signed-in member of staff who sends JSON. */
export class Staff {
  readonly device: StaffDevice

  constructor(device: StaffDevice) {
    this.device = device
  }

  get tenantId(): TenantId {
    return this.device.tokens.tenantId
  }

  get(path: string, headers: Readonly<Record<string, string>> = {}): Promise<JsonResponse> {
    return read(this.device.fetch(path, { headers }))
  }

  post(
    path: string,
    json: unknown = {},
    idempotencyKey: string = newId('req'),
  ): Promise<JsonResponse> {
    return read(this.device.fetch(path, { method: 'POST', json, idempotencyKey }))
  }

  put(path: string, json: unknown, headers: Readonly<Record<string, string>> = {}) {
    return read(this.device.fetch(path, { method: 'PUT', json, headers }))
  }
}

async function read(sent: Promise<Response>): Promise<JsonResponse> {
  const response = await sent
  const text = await response.text()
  const body = text === '' ? {} : (JSON.parse(text) as Record<string, unknown>)
  return { status: response.status, headers: response.headers, body }
}

export async function signIn(
  { sandbox, service }: Pick<Backoffice, 'sandbox' | 'service'>,
  username: string,
  tenantSlug = SLUG,
): Promise<Staff> {
  const device = await createStaffDevice({
    iamUrl: sandbox.url,
    baseUrl: `${service.url}${BASE}`,
    externalUrl: PUBLIC_URL,
    tenantSlug,
    username,
  })
  await device.signIn()
  return new Staff(device)
}

/** A property that the member of staff may use. */
async function propertyOf(staff: Staff): Promise<PropertyId> {
  const { body } = await staff.get('/session')
  const [first] = body['properties'] as PropertyId[]
  if (first === undefined || first.length < 5) throw new TypeError('no property')
  return first
}

/** By the control room: a suggestion as the generator would make it. */
export async function propose(
  { sandbox }: Pick<Backoffice, 'sandbox'>,
  { tenantId, propertyId }: { readonly tenantId: TenantId; readonly propertyId: PropertyId },
  category: SuggestionCategory,
): Promise<Suggestion> {
  const path = `/admin/api/tenants/${tenantId}/properties/${propertyId}/suggestions/propose`
  const { text, status } = await send(sandbox.url, 'POST', path, { json: { category } })
  if (status >= 300) throw new Error(`propose: ${status} ${text}`)
  return JSON.parse(text) as Suggestion
}

/** What all cases of a test file use; set before the first of them. */
export const shared = {} as {
  running: Backoffice
  desk: Staff
  manager: Staff
  propertyId: PropertyId
}

export async function startShared(options?: BackofficeOptions): Promise<void> {
  shared.running = await startWithSandbox(options)
  shared.desk = await signIn(shared.running, 'desk')
  shared.manager = await signIn(shared.running, 'manager')
  shared.propertyId = await propertyOf(shared.desk)
}
