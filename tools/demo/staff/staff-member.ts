import { type Client, createClient, isApiProblem } from '@melmastoon/client'
import type { ProblemCode } from '@melmastoon/domain'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import { DEMO_STAFF } from '@melmastoon/upstream-contracts/iam/demo-staff'
import type { paths } from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { DemoFailure, expectThat } from '../guest/demo.ts'
import type { StaffDemo } from './demo.ts'

export const V1 = '/bff/backoffice/v1'

/** An operator of the demo hotel at a device of their own. */
export interface StaffMember {
  readonly username: string
  readonly device: StaffDevice
  readonly api: Client<paths>
  readonly propertyId: string
}

/** Creates a device key, signs in at iam and reads the session. */
export async function signIn(demo: StaffDemo, username: string): Promise<StaffMember> {
  const { say, sandboxUrl } = demo
  const baseUrl = `${demo.backofficeUrl}${V1}`
  const externalUrl = `${demo.publicUrl}${V1}`
  const device = await createStaffDevice({ iamUrl: sandboxUrl, baseUrl, externalUrl, username })
  const { deviceId, expiresIn } = await device.signIn()
  const api = openStaffClient(demo, device)
  const { data } = await api.GET(`${V1}/session`)
  say.step(`Sign in as ${username} of ${DEMO_STAFF.tenantSlug}`)
  say.detail(`device ${deviceId}, key ${device.jkt.slice(0, 12)}…, token for ${expiresIn} s`)
  const { roles, properties, boardClass } = data
  say.detail(
    `role ${roles.join(', ')}, boards for “${boardClass}”, properties: ${show(properties)}`,
  )
  const [propertyId] = properties === '*' ? [] : properties
  expectThat(propertyId !== undefined, `${username} has no property`)
  return { username, device, api, propertyId }
}

function show(properties: '*' | readonly string[]): string {
  return properties === '*' ? 'all' : String(properties.length)
}

/** Every attempt of a request is sent with a new proof of the device key. */
function openStaffClient({ backofficeUrl, watch }: StaffDemo, device: StaffDevice): Client<paths> {
  return createClient<paths>({
    baseUrl: backofficeUrl,
    async fetch(request) {
      const { method, headers } = request
      const { pathname, search } = new URL(request.url)
      const body = await request.text()
      const startedMs = performance.now()
      const response = await device.fetch(pathname.slice(V1.length) + search, {
        method,
        headers: Object.fromEntries(headers),
        ...(body !== '' && { json: JSON.parse(body) as unknown }),
      })
      watch(performance.now() - startedMs)
      return response
    },
  })
}

/** The code of a request that has to be rejected. */
export async function rejectionOf(call: Promise<unknown>): Promise<ProblemCode> {
  const code = await call.then(
    () => null,
    (error: unknown) => {
      if (!isApiProblem(error)) throw error
      return error.code as ProblemCode
    },
  )
  if (code === null) throw new DemoFailure('a request was accepted that has to be rejected')
  return code
}
