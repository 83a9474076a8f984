import { type LocalProductOptions, openLocalProduct } from '../start/local-product.ts'
import { chooseOutbox } from './choose-outbox.ts'

/** `npm run outbox -- [<service>] depth | dead | replay <eventId>… | replay-since <time>`. */
export async function runOutboxCommand(
  words: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const chosen = chooseOutbox(words, product.services)
  if (chosen.words.length > 0) await product.assertStarted()
  const run = { words: chosen.words, shown: true }
  const { exitCode } = await product.run(chosen.service, chosen.program, run)
  return exitCode ?? 1
}
