import { parseArgs } from 'node:util'

const CONTROLS = ['pool', 'redis'] as const
export type Control = (typeof CONTROLS)[number]

export interface PeakOptions {
  /** Requests per second. */
  readonly rate: number
  readonly warmSeconds: number
  readonly seconds: number
  /** Devices that are signed in; each may have a stream. */
  readonly devices: number
  readonly streams: number
  /** The devices are distributed over them. */
  readonly hotels: number
  readonly runs: number
  /** A fault that the gate must detect. */
  readonly control: Control | null
}

export const USAGE = `npm run bench:peak-300rps -- [options]
  --full              two minutes of warm-up, ten minutes, 5,000 streams
  --seconds <n>       measured seconds (60)
  --warm <n>          seconds of warm-up (20)
  --rate <n>          requests per second (300)
  --streams <n>       open event streams (200)
  --devices <n>       signed-in devices (300, at least one per stream)
  --hotels <n>        hotels with staff (one for 25 devices)
  --runs <n>          runs; the median and the worst are shown (1)
  --control pool      a pool of two connections: the gate must fail
  --control redis     Redis responds 10 ms later: the gate must fail`

const FULL = { warmSeconds: 120, seconds: 600, streams: 5_000 }
const QUICK = { warmSeconds: 20, seconds: 60, streams: 200 }
const DEVICES_MIN = 300
const DEVICES_OF_HOTEL = 25

/** @throws TypeError with a message for the user. */
export function parsePeakOptions(args: readonly string[]): PeakOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      full: { type: 'boolean', default: false },
      seconds: { type: 'string' },
      warm: { type: 'string' },
      rate: { type: 'string' },
      streams: { type: 'string' },
      devices: { type: 'string' },
      hotels: { type: 'string' },
      runs: { type: 'string' },
      control: { type: 'string' },
    },
  })
  const base = values.full ? FULL : QUICK
  const streams = count(['streams', values.streams], base.streams, 0)
  const devices = Math.max(streams, count(['devices', values.devices], DEVICES_MIN))
  return {
    rate: count(['rate', values.rate], 300),
    warmSeconds: count(['warm', values.warm], base.warmSeconds),
    seconds: count(['seconds', values.seconds], base.seconds),
    streams,
    devices,
    hotels: count(['hotels', values.hotels], Math.ceil(devices / DEVICES_OF_HOTEL)),
    runs: count(['runs', values.runs], 1),
    control: controlOf(values.control),
  }
}

function count(
  [name, text]: readonly [name: string, text: string | undefined],
  preset: number,
  min = 1,
): number {
  const value = text === undefined ? preset : Number(text)
  if (!Number.isInteger(value) || value < min) {
    throw new TypeError(`--${name} needs a whole number of at least ${min}`)
  }
  return value
}

function controlOf(text: string | undefined): Control | null {
  if (text === undefined) return null
  const control = CONTROLS.find((name) => name === text)
  if (control === undefined) throw new TypeError(`--control is one of ${CONTROLS.join(', ')}`)
  return control
}
