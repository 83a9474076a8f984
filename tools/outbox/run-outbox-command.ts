import { type LocalProductOptions, openLocalProduct } from '../start/local-product.ts'
import { chooseOutboxes } from './choose-outbox.ts'

/** `npm run outbox -- [<service>] depth | dead | replay <eventId>… | replay-since <time>`. */
export async function runOutboxCommand(
  words: readonly string[],
  options: LocalProductOptions,
): Promise<number> {
  const product = openLocalProduct(options)
  const chosen = chooseOutboxes(words, product.services)
  let worst = 0
  for (const { service, words: rest } of chosen) {
    if (rest.length > 0) await product.assertStarted()
    // The output of a named service has no such line, so that it can be piped.
    if (chosen.length > 1) process.stdout.write(`${service.name}:\n`)
    const { exitCode } = await product.run(service, { words: ['outbox', ...rest], shown: true })
    worst = Math.max(worst, exitCode ?? 1)
  }
  return worst
}
