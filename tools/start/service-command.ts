import { type LocalProductOptions, openLocalProduct } from './local-product.ts'
import { StartError } from './messages.ts'

export interface ServiceCommand {
  readonly service: string
  /** The first word: what the program of the service calls the command. */
  readonly command: string
  /** It needs no servers. */
  readonly worksStopped?: boolean
}

/** Runs a command of one service. Without words the service prints how to use it. */
export function serviceCommand({ service: wanted, command, worksStopped = false }: ServiceCommand) {
  return async (words: readonly string[], options: LocalProductOptions): Promise<number> => {
    const product = openLocalProduct(options)
    const service = product.services.find(({ name }) => name === wanted)
    if (service === undefined) throw new StartError(`There is no service ${wanted}.`)
    if (words.length > 0 && !worksStopped) await product.assertStarted()
    const { exitCode } = await product.run(service, { words: [command, ...words], shown: true })
    return exitCode ?? 1
  }
}
