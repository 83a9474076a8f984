import { type LocalProductOptions, openLocalProduct } from '../start/local-product.ts'
import { StartError } from '../start/messages.ts'

const SERVICE = 'bff-backoffice-service'

/** `npm run locks -- show <id>`, `show open`, `settle <id> success|failure <operatorId>`. */
export async function runLocksCommand(
  words: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const service = product.services.find(({ name }) => name === SERVICE)
  if (service === undefined) throw new StartError(`There is no service ${SERVICE}.`)
  if (words.length > 0) await product.assertStarted()
  const { exitCode } = await product.run(service, { words: ['locks', ...words], shown: true })
  return exitCode ?? 1
}
