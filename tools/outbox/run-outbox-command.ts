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
  for (const { service, program, words: rest } of chosen) {
    if (rest.length > 0) await product.assertStarted()
    // Beside the answers, so that they can be piped on.
    if (chosen.length > 1) console.error(`${service.name}:`)
    const { exitCode } = await product.run(service, program, { words: rest, shown: true })
    worst = Math.max(worst, exitCode ?? 1)
  }
  return worst
}
