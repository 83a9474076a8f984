import { Pool } from 'undici'
import { measureWork } from '../harness/measure-work.ts'
import { serveCommands } from '../harness/serve-commands.ts'
import { OpenStreams } from './open-streams.ts'
import { type Account, SigningDevice } from './signing-device.ts'
import { type StaffRequest, sendAs } from './staff-client.ts'

const CONNECTIONS = 256
const SIGN_INS_AT_ONCE = 8
const ATTEMPTS_MAX = 5
const SERVER_ERROR = 500

let devices: SigningDevice[] = []
const pools = new Map<string, Pool>()

interface SignIn {
  readonly iamUrl: string
  readonly accounts: readonly Account[]
  readonly count: number
}

/** Devices of the given accounts in turn. */
async function signIn({ iamUrl, accounts, count }: SignIn) {
  devices = []
  const run = async (index: number) => {
    const account = accounts[index % accounts.length]
    if (account === undefined) throw new TypeError('no account')
    devices.push(await SigningDevice.signIn(iamUrl, account))
  }
  await measureWork({ count, inFlight: SIGN_INS_AT_ONCE, run })
  return devices.map(({ account, tokens: { tenantId, operatorId, deviceId } }) => ({
    ...account,
    tenantId,
    operatorId,
    deviceId,
  }))
}

function poolOf(url: string): Pool {
  const known = pools.get(url) ?? new Pool(url, { connections: CONNECTIONS })
  pools.set(url, known)
  return known
}

/** What is sent to one server. */
export interface Sent {
  readonly url: string
  readonly wanted: StaffRequest
}

/**
 * The request of one device, sent again when it timed out on a busy machine. @throws Error for
 * every other response but 2xx
 */
async function send(device: SigningDevice | undefined, { url, wanted }: Sent): Promise<Buffer> {
  if (device === undefined) throw new TypeError('no device')
  let { status, body } = await sendAs(device, poolOf(url), wanted)
  for (let attempt = 1; status >= SERVER_ERROR && attempt < ATTEMPTS_MAX; attempt += 1) {
    ;({ status, body } = await sendAs(device, poolOf(url), wanted))
  }
  if (status >= 300) throw new Error(`${wanted.path}: ${status} ${body.toString()}`)
  return body
}

const request = async (sent: Sent) =>
  JSON.parse((await send(devices[0], sent)).toString()) as unknown

interface Run extends Sent {
  readonly count: number
  readonly inFlight: number
}

let turn = 0

async function run({ count, inFlight, ...sent }: Run) {
  let bytes = 0
  const done = await measureWork({
    count,
    inFlight,
    async run() {
      turn += 1
      const { length } = await send(devices[turn % devices.length], sent)
      bytes += length
    },
  })
  return { ...done, bytes: bytes / count }
}

interface PlainRun {
  readonly url: string
  readonly count: number
  readonly inFlight: number
  readonly path: string
  /** Sent by POST. */
  readonly json?: unknown
}

/** The same without credentials, for alternatives that need none. */
async function runPlain({ count, inFlight, url, path, json }: PlainRun) {
  let bytes = 0
  const sent =
    json === undefined
      ? ({ method: 'GET', path } as const)
      : ({
          method: 'POST',
          path,
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(json),
        } as const)
  const done = await measureWork({
    count,
    inFlight,
    async run() {
      const { statusCode, body } = await poolOf(url).request(sent)
      const text = Buffer.from(await body.arrayBuffer())
      if (statusCode >= 300) throw new Error(`${path}: ${statusCode} ${text.toString()}`)
      bytes += text.length
    },
  })
  return { ...done, bytes: bytes / count }
}

const streams = new OpenStreams()

interface Streaming {
  readonly url: string
  /** Of the devices, or with `isPlain` of nobody. */
  readonly from: number
  readonly count: number
  readonly isPlain: boolean
}

async function openStreams({ url, from, count, isPlain }: Streaming): Promise<void> {
  if (isPlain) await streams.openPlain(url, count)
  else await streams.openStaff(url, devices.slice(from, from + count))
}

serveCommands({
  signIn,
  request,
  run,
  runPlain,
  openStreams,
  streamCounts: () => streams.counts(),
})
