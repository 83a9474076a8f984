import { findTool } from '@melmastoon/one-machine'
import { canPin } from '../harness/cores.ts'
import { peerVersions } from '../harness/peers.ts'
import { describeMachine, QUIET_LOAD, versionOf } from './machine.ts'

export interface RunFacts {
  readonly startedAt: Date
  readonly loadBefore: number
  readonly seconds: number
}

/** When, on what kind of machine, with which versions. */
export async function describeRun({ startedAt, loadBefore, seconds }: RunFacts): Promise<string> {
  const peers = Object.entries(peerVersions())
    .filter(([name]) => !['pg', 'rxjs', 'reflect-metadata', 'keyv'].includes(name))
    .map(([name, version]) => `${name} ${version}`)
  const busy = loadBefore > QUIET_LOAD ? ', so other programs ran at the same time' : ''
  const pinned = canPin() ? 'pinned to a core each' : 'not pinned, for want of cores or taskset'
  return [
    `Measured on ${startedAt.toISOString().slice(0, 10)} in ${Math.round(seconds)} s: ${describeMachine()}; load before the start ${loadBefore.toFixed(1)}${busy}; server and load ${pinned}.`,
    `Node ${process.versions.node}, Postgres 16, Redis ${await redisVersion()}; ${peers.join(', ')}.`,
  ].join('\n\n')
}

async function redisVersion(): Promise<string> {
  return versionOf(await findTool('redis-server', { packages: ['redis-server'] }), '--version')
}
