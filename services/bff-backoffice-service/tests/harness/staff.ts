import {
  createStaffDevice,
  type DeviceRequest,
  type StaffDevice,
} from '@melmastoon/testkit/staff-device'
import { PUBLIC_URL } from './backoffice-environment.ts'
import { type Backoffice, SLUG } from './start-backoffice.ts'

export interface StaffResponse<T = Record<string, unknown>> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

export interface Staff extends StaffDevice {
  /** `GET` and the JSON of the response. */
  read<T = Record<string, unknown>>(path: string): Promise<StaffResponse<T>>
  post<T = Record<string, unknown>>(
    path: string,
    json: unknown,
    options?: { readonly idempotencyKey?: string; readonly headers?: Record<string, string> },
  ): Promise<StaffResponse<T>>
  /** Any request, and the JSON of the response. */
  request<T = Record<string, unknown>>(
    path: string,
    request: DeviceRequest,
  ): Promise<StaffResponse<T>>
  /** The first property that the operator may use. */
  propertyId(): Promise<string>
  /** The next requests go to another instance. */
  moveTo(url: string): void
}

export interface StaffOptions {
  readonly slug?: string
  readonly url?: string
}

/** A member of the staff of a demo hotel, signed in at the sandbox. */
export async function signIn(
  { sandbox, service }: Pick<Backoffice, 'sandbox' | 'service'>,
  username: string,
  { slug = SLUG, url = service.url }: StaffOptions = {},
): Promise<Staff> {
  const at = (instance: string) => `${instance}/bff/backoffice/v1`
  const options = {
    iamUrl: sandbox.url,
    baseUrl: at(url),
    externalUrl: PUBLIC_URL,
    tenantSlug: slug,
    username,
  }
  const device = await createStaffDevice(options)
  await device.signIn()
  const read = async <T>(path: string): Promise<StaffResponse<T>> =>
    toResponse<T>(await device.fetch(path))
  return Object.assign(device, {
    read,
    request: async <T>(path: string, request: DeviceRequest): Promise<StaffResponse<T>> =>
      toResponse<T>(await device.fetch(path, request)),
    post: async <T>(path: string, json: unknown, options = {}): Promise<StaffResponse<T>> =>
      toResponse<T>(await device.fetch(path, { method: 'POST', json, ...options })),
    propertyId: async () => {
      const { body } = await read<{ properties: readonly string[] }>('/session')
      const [first] = body.properties
      if (first === undefined || first === '*') throw new Error('no listed property')
      return first
    },
    moveTo: (instance: string) => {
      options.baseUrl = at(instance)
    },
  })
}

async function toResponse<T>(response: Response): Promise<StaffResponse<T>> {
  const text = await response.text()
  const body = (text === '' ? null : JSON.parse(text)) as T
  return { status: response.status, headers: response.headers, body }
}
