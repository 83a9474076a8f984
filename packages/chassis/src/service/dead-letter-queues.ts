import { deadLetterName, type EventBus } from '../bus/index.ts'
import type { ServerConfig } from '../config/index.ts'
import type { ErrorReporter, Metrics } from '../telemetry/index.ts'
import type { ServiceBase } from './create-base.ts'
import type { Subscriptions } from './service-definition.ts'

/** The dead letters of one subject that a service consumes. */
export interface DeadLetterQueue {
  readonly subject: string
  readonly name: string
}

export function deadLetterQueues<X extends ServiceBase<ServerConfig>>(
  subscriptions: Subscriptions<X>,
  ctx: X,
): DeadLetterQueue[] {
  const { name: subscription = ctx.config.service } = subscriptions
  const nameOf =
    subscriptions.deadLetterName ?? ((subject) => deadLetterName(subscription, subject))
  return subscriptions
    .handlers(ctx)
    .flatMap(({ definitions }) => definitions)
    .map(({ subject }) => ({ subject, name: nameOf(subject) }))
}

interface WatchDeps {
  readonly bus: EventBus
  readonly metrics: Metrics
  readonly errors: ErrorReporter
}

const WATCH_MS = 15_000

/** A gauge with the number of dead letters per subject, where the broker has no tool for it. */
export function watchDeadLetters(
  { bus, metrics, errors }: WatchDeps,
  queues: readonly DeadLetterQueue[],
  intervalMs = WATCH_MS,
): AsyncDisposable {
  const { deadLetters } = bus
  const gauge = metrics.gauge({
    name: 'dead_letters',
    help: 'Messages that the service gave up on and that wait for an operator, by subject',
    labels: ['subject'],
  })
  const measure = async () => {
    if (deadLetters === undefined) return
    const depths = await Promise.all(queues.map(({ name }) => deadLetters.depth(name)))
    for (const [at, { subject }] of queues.entries()) gauge.set({ subject }, depths[at] ?? 0)
  }
  const timer = setInterval(() => void measure().catch(errors.for('dead-letters')), intervalMs)
  timer.unref()
  void measure().catch(errors.for('dead-letters'))
  return { [Symbol.asyncDispose]: async () => clearInterval(timer) }
}

const REPLAY_BATCH = 1_000
const USAGE = 'dead-letters depth | replay [<subject>…]'

/** `outbox dead-letters …`: shows or replays them. Resolves to the exit code. */
export async function runDeadLetterCommand(
  words: readonly string[],
  { bus, queues }: { readonly bus: EventBus; readonly queues: readonly DeadLetterQueue[] },
  print: (line: string) => void = (line) => process.stdout.write(`${line}\n`),
): Promise<number> {
  const [verb, ...subjects] = words
  const { deadLetters } = bus
  if ((verb !== 'depth' && verb !== 'replay') || (verb === 'depth' && subjects.length > 0)) {
    print(USAGE)
    return 2
  }
  if (deadLetters === undefined) {
    print('Dead letters of this event transport are inspected and replayed with its own tools.')
    return 1
  }
  const chosen = queues.filter(({ subject }) => subjects.length === 0 || subjects.includes(subject))
  for (const { subject, name } of chosen) {
    const request = { name, subject, limit: REPLAY_BATCH }
    const count =
      verb === 'depth' ? await deadLetters.depth(name) : await deadLetters.replay(request)
    print(`${name} ${count}${verb === 'replay' ? ' replayed' : ''}`)
  }
  return chosen.length === 0 && subjects.length > 0 ? 1 : 0
}
