import { type LocalProductOptions, openLocalProduct } from '../start/local-product.ts'
import { StartError } from '../start/messages.ts'

/** `npm run flags -- <service> get | set <name> <json> | unset <name>`. */
export async function runFlagsCommand(
  [name = '', ...words]: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const service = product.services.find((each) => each.name === name)
  if (service === undefined) {
    const names = product.services.map((each) => each.name).join(', ')
    throw new StartError(`Name a service: ${names}; then get, set <name> <json> or unset <name>.`)
  }
  await product.assertStarted()
  const { exitCode } = await product.run(service, { words: ['flags', ...words], shown: true })
  return exitCode ?? 1
}
