import { peerProgram } from '../../harness/peers.ts'
import type { BenchWorld, Part, Role, Row, Running, Sample, Variant } from '../../harness/row.ts'
import { NotHere } from '../../harness/run-part.ts'
import { startWorker, type Worker } from '../../harness/worker.ts'

const METRICS = [{ key: 'cpuUs', label: 'CPU µs', digits: 2 }]
const MINT = 'mint a handoff'
const VERIFY = 'verify a handoff, three keys in the ring'
const PROOF = 'proof check, key cached'
const JOSE = 'jose, key cached'

export const rowG: Row = {
  id: 'G',
  title: 'Signatures and ids',
  parts: (world) => Promise.resolve([handoffs(world), proofs(world), ids(world)]),
}

function handoffs(world: BenchWorld): Part {
  const count = world.pick(20_000, 20)
  return {
    ...shape(world, 'handoff tokens'),
    variants: [
      own(world, 'bare HMAC-SHA256', { role: 'floor', work: 'hmac', count }),
      own(world, MINT, { role: 'us', work: 'mint', count }),
      own(world, VERIFY, { role: 'us', work: 'verify', count }),
    ],
    goals: [
      { text: 'mint a handoff, µs', metric: 'cpuUs', variant: MINT, atMost: 20 },
      {
        text: 'verify a handoff, µs',
        metric: 'cpuUs',
        variant: VERIFY,
        atMost: 20,
        columns: { us: VERIFY },
      },
    ],
  }
}

function proofs(world: BenchWorld): Part {
  const count = world.pick(4_000, 10)
  return {
    ...shape(world, 'proofs of possession'),
    variants: [
      own(world, 'bare ES256 verification', { role: 'floor', work: 'signature', count }),
      own(world, PROOF, { role: 'us', work: 'proof', count }),
      jose(world, JOSE, { work: 'cached', count }),
      jose(world, 'jose, key found by thumbprint', { work: 'thumbprint', count }),
    ],
    goals: [
      {
        text: 'proof check against jose',
        metric: 'cpuUs',
        variant: PROOF,
        against: JOSE,
        atMost: 0.65,
        columns: { peer: JOSE },
      },
    ],
  }
}

function ids(world: BenchWorld): Part {
  const count = world.pick(200_000, 100)
  return {
    ...shape(world, 'ids'),
    variants: [
      own(world, 'randomUUID', { role: 'floor', work: 'uuid', count }),
      own(world, 'newId', { role: 'us', work: 'id', count }),
    ],
  }
}

function shape(world: BenchWorld, title: string) {
  return { title, metrics: METRICS, rounds: world.pick(5, 1), compare: 'cpuUs' }
}

interface Work {
  readonly work: string
  readonly count: number
}

function own(world: BenchWorld, name: string, { role, ...work }: Work & { role: Role }): Variant {
  return {
    name,
    role,
    setup: () => Promise.resolve(measuring(startOwn(world.short), work)),
  }
}

function startOwn(share: boolean): Worker {
  return startWorker(new URL('./crypto-worker.ts', import.meta.url), { share })
}

function jose(world: BenchWorld, name: string, work: Work): Variant {
  return {
    name,
    role: 'peer',
    async setup() {
      if (!world.peersInstalled) throw new NotHere('not installed; the full run installs it')
      await using maker = startOwn(false)
      const given = await maker.run('describeProof')
      return measuring(startWorker(peerProgram('jose-proof.mjs')), { ...work, given })
    },
  }
}

function measuring(worker: Worker, input: unknown): Running {
  return {
    measure: async () => (await worker.run('measure', input)) as Sample,
    [Symbol.asyncDispose]: () => worker[Symbol.asyncDispose](),
  }
}
