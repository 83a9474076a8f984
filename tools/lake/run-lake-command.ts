import { type LocalProductOptions, openLocalProduct } from '../start/local-product.ts'
import { StartError } from '../start/messages.ts'

const SERVICE = 'bff-backoffice-service'

/** `npm run lake -- "<select>"`: the files of the lake, also while the product is not running. */
export async function runLakeCommand(
  words: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const service = product.services.find(({ name }) => name === SERVICE)
  if (service === undefined) throw new StartError(`There is no service ${SERVICE}.`)
  const { exitCode } = await product.run(service, { words: ['lake', ...words], shown: true })
  return exitCode ?? 1
}
