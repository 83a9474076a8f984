import { consumerService } from '@melmastoon/bff-consumer-service'
import { createService } from '@melmastoon/chassis/service'
import { collectedMemory } from '../../harness/collected-memory.ts'
import { endlessLimit } from '../../harness/endless-limit.ts'
import { serveCommands } from '../../harness/serve-commands.ts'

const POLICIES = {
  read: endlessLimit('read'),
  address: endlessLimit('address'),
  device: endlessLimit('device'),
  fingerprint: endlessLimit('fingerprint'),
  handoff: endlessLimit('handoff'),
  newSessionDevice: endlessLimit('new-session-device'),
}
const PACES = {
  guestFast: Number.POSITIVE_INFINITY,
  guestInhuman: Number.POSITIVE_INFINITY,
  fingerprintFast: Number.POSITIVE_INFINITY,
  addressFast: Number.POSITIVE_INFINITY,
  sessionsMany: Number.POSITIVE_INFINITY,
  sessionsFlood: Number.POSITIVE_INFINITY,
}

interface Start {
  readonly pageFreshMs: number
  /** One byte disables the process cache. */
  readonly l1MaxBytes?: number
  /** False: every response goes through Fastify. */
  readonly fastPath?: boolean
}

async function start({ pageFreshMs, l1MaxBytes, fastPath = true }: Start): Promise<string> {
  const service = await createService(consumerService, process.env, {
    policies: POLICIES,
    bots: { paces: PACES },
    pageFreshMs,
    fastPath,
    ...(l1MaxBytes !== undefined && { l1MaxBytes }),
  })
  const { url } = await service.start()
  return url
}

serveCommands({ start, memory: collectedMemory })
