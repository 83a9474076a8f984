import { createConsumerService, readConfig } from '@melmastoon/bff-consumer-service'
import { answerCommands } from '../../harness/answer-commands.ts'

/** One guest at one address must not meet a limit, but every request passes through all of them. */
const endless = (name: string) => ({ name, limit: 100_000_000, periodSeconds: 1 })
const POLICIES = {
  read: endless('read'),
  address: endless('address'),
  fingerprint: endless('fingerprint'),
}
const PACES = {
  guestFast: Number.POSITIVE_INFINITY,
  guestInhuman: Number.POSITIVE_INFINITY,
  fingerprintFast: Number.POSITIVE_INFINITY,
  addressFast: Number.POSITIVE_INFINITY,
}

interface Start {
  readonly pageFreshMs: number
  readonly withoutL1?: boolean
}

async function start({ pageFreshMs, withoutL1 = false }: Start): Promise<string> {
  const service = await createConsumerService(readConfig(process.env), {
    policies: POLICIES,
    bots: { paces: PACES },
    pageFreshMs,
    ...(withoutL1 && { l1MaxBytes: 1 }),
  })
  const { url } = await service.start()
  return url
}

answerCommands({ start })
