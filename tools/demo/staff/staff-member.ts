import { type Client, createClient, isApiProblem } from '@melmastoon/client/source'
import type { ProblemCode } from '@melmastoon/domain'
import { createStaffDevice, type StaffDevice } from '@melmastoon/testkit/staff-device'
import type {
  components,
  paths,
} from '../../../services/bff-backoffice-service/contracts/openapi.d.ts'
import { DemoFailure, expectThat } from '../shared/demo-failure.ts'
import type { StaffDemo } from './demo.ts'

export const V1 = '/bff/backoffice/v1'
/** Of the demo world. */
const HOTELS = ['gulistan-hotel', 'noor-serai', 'creek-pearl', 'margalla-view']

/** An operator of the demo hotel at a device of their own. */
export interface StaffMember {
  readonly username: string
  readonly device: StaffDevice
  readonly api: Client<paths>
  readonly propertyId: string
}

/** Creates a device key, signs in at iam and reads the session. */
export async function signIn(
  demo: StaffDemo,
  username: string,
  tenantSlug: string,
): Promise<StaffMember> {
  const { say } = demo
  const device = await createDevice(demo, { username, tenantSlug })
  const { deviceId, expiresIn } = device.tokens
  const api = openStaffClient(demo, device)
  const { data } = await api.GET(`${V1}/session`)
  say.step(`Sign in as ${username} of ${tenantSlug}`)
  say.detail(`device ${deviceId}, key ${device.jkt.slice(0, 12)}…, token for ${expiresIn} s`)
  const { roles, properties, boardClass } = data
  say.detail(
    `role ${roles.join(', ')}, boards for “${boardClass}”, properties: ${show(properties)}`,
  )
  const [propertyId] = properties === '*' ? [] : properties
  expectThat(propertyId !== undefined, `${username} has no property`)
  return { username, device, api, propertyId }
}

interface Account {
  readonly username: string
  readonly tenantSlug: string
}

async function createDevice(demo: StaffDemo, account: Account): Promise<StaffDevice> {
  const device = await createStaffDevice({
    iamUrl: demo.sandboxUrl,
    baseUrl: `${demo.backofficeUrl}${V1}`,
    externalUrl: `${demo.publicUrl}${V1}`,
    ...account,
  })
  await device.signIn()
  return device
}

/** The first hotel that has a room ready for a guest who has not arrived. */
export async function chooseHotel(demo: StaffDemo): Promise<string> {
  for (const tenantSlug of HOTELS) {
    const device = await createDevice(demo, { username: 'desk', tenantSlug })
    const api = openStaffClient({ ...demo, watch: () => undefined }, device)
    const { data } = await api.GET(`${V1}/session`)
    const [propertyId = ''] = data.properties === '*' ? [] : data.properties
    const query = { propertyId, limit: 200 }
    const { data: board } = await api.GET(`${V1}/arrivals`, { params: { query } })
    await api.POST(`${V1}/auth/sign-out`)
    if (board.rows.some(isReadyToArrive)) return tenantSlug
  }
  throw new DemoFailure('no hotel has a room ready for an arrival: npm start -- --fresh')
}

type Stay = components['schemas']['StayRow']

export const isReadyToArrive = ({ readiness, status }: Stay) =>
  readiness === 'ready' && status === 'confirmed'

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
