import { readFileSync } from 'node:fs'
import { Pool } from 'undici'
import { measureWork } from '../harness/measure-work.ts'
import { serveCommands } from '../harness/serve-commands.ts'
import { OpenStreams } from '../staff/open-streams.ts'
import { type Account, SigningDevice } from '../staff/signing-device.ts'
import type { Hotel, Staff } from './hotel-state.ts'
import { NotifiedDevices } from './notified-devices.ts'
import { readHotel, readProperties } from './read-hotels.ts'
import { BOARDS, REQUEST_KINDS, type RequestKind } from './request-kinds.ts'
import { type Phase, runPhase } from './run-phase.ts'

/** A desk has more devices than an owner. */
const USERNAMES = [
  'desk',
  'housekeeper',
  'desk',
  'housekeeping-lead',
  'technician',
  'desk',
  'manager',
  'housekeeper',
  'owner',
]

const CONTRACT = new URL(
  '../../../services/bff-backoffice-service/contracts/openapi.json',
  import.meta.url,
)
const CONNECTIONS = 512
const SIGN_INS_AT_ONCE = 8
const HOTELS_AT_ONCE = 2

const pools = new Map<string, Pool>()
const streams = new OpenStreams()
const notified = new NotifiedDevices()
let staff: Staff[] = []

function poolOf(url: string): Pool {
  const known = pools.get(url) ?? new Pool(url, { connections: CONNECTIONS })
  pools.set(url, known)
  return known
}

interface Prepare {
  readonly iamUrl: string
  readonly url: string
  readonly devices: number
  /** The slugs of tenants that have staff. */
  readonly tenants: readonly string[]
}

/** Signs everybody in, and reads what the load will name. */
async function prepare({ iamUrl, url, devices, tenants }: Prepare) {
  const hotels = await readHotels({ iamUrl, url }, tenants)
  const accounts = accountsOf(devices, tenants)
  const signedIn: Staff[] = []
  const run = async (index: number) => {
    const account = accounts[index]
    if (account === undefined) throw new TypeError('no account')
    const device = await SigningDevice.signIn(iamUrl, account)
    const hotel = hotels.get(account.tenantSlug)
    const board = boardOf(Math.floor(index / tenants.length))
    if (hotel !== undefined) signedIn.push({ device, hotel, board, cursors: new Map(), seq: 0 })
  }
  await measureWork({ count: accounts.length, inFlight: SIGN_INS_AT_ONCE, run })
  staff = signedIn
  return { devices: staff.length, hotels: hotels.size, missing: missingKinds() }
}

async function readHotels(
  { iamUrl, url }: Pick<Prepare, 'iamUrl' | 'url'>,
  tenants: readonly string[],
): Promise<Map<string, Hotel>> {
  const hotels = new Map<string, Hotel>()
  const run = async (index: number) => {
    const tenantSlug = tenants[index] ?? ''
    const manager = await SigningDevice.signIn(iamUrl, { tenantSlug, username: 'manager' })
    // Everybody may use the first property of the tenant.
    const [first] = await readProperties(manager, poolOf(url))
    if (first !== undefined) hotels.set(tenantSlug, await readHotel(manager, poolOf(url), first))
  }
  await measureWork({ count: tenants.length, inFlight: HOTELS_AT_ONCE, run })
  return hotels
}

function accountsOf(count: number, tenants: readonly string[]): Account[] {
  return Array.from({ length: count }, (_, index) => ({
    tenantSlug: tenants[index % tenants.length] ?? '',
    username: USERNAMES[Math.floor(index / tenants.length) % USERNAMES.length] ?? '',
  }))
}

/** The devices of an account at a hotel show its boards in turn. */
function boardOf(place: number): string {
  const nameAt = (at: number) => USERNAMES[at % USERNAMES.length] ?? ''
  const earlier = Array.from({ length: place }, (_, at) => nameAt(at))
  const boards = BOARDS[nameAt(place)] ?? []
  const turn = earlier.filter((name) => name === nameAt(place)).length
  return boards[turn % Math.max(1, boards.length)] ?? '/today'
}

/** Kinds whose route the service does not have. */
function missingKinds(): string[] {
  const { paths } = JSON.parse(readFileSync(CONTRACT, 'utf8')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  const hasRoute = ({ route }: RequestKind) => {
    const [method = '', path = ''] = route.split(' ')
    return paths[path]?.[method] !== undefined
  }
  return REQUEST_KINDS.filter((kind) => !hasRoute(kind)).map(({ name }) => name)
}

async function openStreams({ url, count }: { readonly url: string; readonly count: number }) {
  const opened = staff.slice(0, count)
  const ofDevice = new Map(opened.map((each) => [each.device, each]))
  const devices = opened.map(({ device }) => device)
  await streams.openStaff(url, devices, (device, channel) => {
    const known = ofDevice.get(device)
    if (known !== undefined) notified.notify(known, channel)
  })
  return streams.counts()
}

type DrivePhase = Omit<Phase, 'targets' | 'notified'> & { readonly urls: readonly string[] }

function drive({ urls, ...phase }: DrivePhase) {
  return runPhase(staff, { ...phase, notified, targets: urls.map(poolOf) })
}

serveCommands({ prepare, openStreams, drive, streamCounts: () => streams.counts() })
