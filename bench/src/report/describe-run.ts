import { execFileSync } from 'node:child_process'
import { findTool } from '@melmastoon/one-machine'
import { canPin } from '../harness/cores.ts'
import { peerVersions } from '../harness/peers.ts'
import type { RowResult } from '../harness/run-row.ts'
import { describeMachine, QUIET_LOAD, versionOf } from './machine.ts'
import { formatDuration } from './render-table.ts'

export interface RunFacts {
  readonly startedAt: Date
  readonly commit: string
  readonly loadBefore: number
  readonly seconds: number
  readonly results: readonly RowResult[]
}

/** The commit that is measured, and whether anything differs from it. */
export function readCommit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8' }).trim()
  try {
    const hash = git('rev-parse', '--short=8', 'HEAD')
    const isClean = git('status', '--porcelain', '--untracked-files=no') === ''
    return `commit ${hash}${isClean ? '' : ' with uncommitted changes'}`
  } catch {
    return 'an unknown commit'
  }
}

/** When, which commit, on what kind of machine, with which versions. */
export async function describeRun(facts: RunFacts): Promise<string> {
  const { startedAt, commit, loadBefore, seconds, results } = facts
  const peers = Object.entries(peerVersions())
    .filter(([name]) => !['pg', 'rxjs', 'reflect-metadata', 'keyv'].includes(name))
    .map(([name, version]) => `${name} ${version}`)
  const busy = loadBefore > QUIET_LOAD ? ', so other programs ran at the same time' : ''
  const pinned = canPin() ? 'pinned to a core each' : 'not pinned, for want of cores or taskset'
  return [
    `Measured ${commit} on ${startedAt.toISOString().slice(0, 10)} in ${formatDuration(seconds)}: ${describeMachine()}; load before the start ${loadBefore.toFixed(1)}${busy}; server and load ${pinned}.`,
    `Rows: ${results.map(({ row, seconds: took }) => `${row.id} ${formatDuration(took)}`).join(', ')}.`,
    `Node ${process.versions.node}, Postgres 16, Redis ${await redisVersion()}; ${peers.join(', ')}.`,
  ].join('\n\n')
}

async function redisVersion(): Promise<string> {
  return versionOf(await findTool('redis-server', { packages: ['redis-server'] }), '--version')
}
