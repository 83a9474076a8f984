import { createConsumerService, readConfig } from '@melmastoon/bff-consumer-service'
import { answerCommands } from '../../harness/answer-commands.ts'

/** One session must not meet its limit, but every request passes through the limiter. */
const READ_POLICY = { name: 'read', limit: 100_000_000, periodSeconds: 1 }

interface Start {
  readonly pageFreshMs: number
  readonly withoutL1?: boolean
}

async function start({ pageFreshMs, withoutL1 = false }: Start): Promise<string> {
  const service = await createConsumerService(readConfig(process.env), {
    readPolicy: READ_POLICY,
    pageFreshMs,
    ...(withoutL1 && { l1MaxBytes: 1 }),
  })
  const { url } = await service.start()
  return url
}

answerCommands({ start })
