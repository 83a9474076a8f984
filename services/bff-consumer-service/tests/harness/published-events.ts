import { eventually } from '@melmastoon/testkit'
import { contracts, type RunningConsumer, type TestEnvironment } from './start-consumer.ts'

/** An event in the outbox. */
export interface PublishedEvent {
  readonly subject: string
  readonly payload: Record<string, unknown>
  readonly envelope: Record<string, unknown>
}

export interface EventSource {
  readonly service: RunningConsumer
  readonly environment: Pick<TestEnvironment, 'adminUrl' | 'query'>
}

/** Waits until background work has finished and all its events are in the outbox. */
export async function finishBackgroundWork({
  service: { ctx },
}: Pick<EventSource, 'service'>): Promise<void> {
  // Disposal waits for running work only; that work may have started more, once.
  await ctx.background[Symbol.asyncDispose]()
  await ctx.background[Symbol.asyncDispose]()
  await ctx.telemetry.flush()
}

/** All events of one guest, in the order of delivery. */
export async function publishedEvents(
  source: EventSource,
  sessionId: string,
): Promise<PublishedEvent[]> {
  await finishBackgroundWork(source)
  return await source.environment.query<PublishedEvent>(`select subject, payload, envelope from (
       select seq, subject, payload, envelope, ordering_key from bff_consumer.outbox
       union all
       select seq, subject, payload, envelope, ordering_key from bff_consumer.outbox_published
) events where ordering_key = '${sessionId}' order by seq`)
}

/** Subjects without their common prefix. */
export function eventNames(events: readonly Pick<PublishedEvent, 'subject'>[]): string[] {
  return events.map(({ subject }) => subject.replace('melmastoon.bff.consumer.', ''))
}

/** Sets every sample rate to 1; sampling has its own tests. */
export async function disableSampling({
  service: { ctx },
}: Pick<EventSource, 'service'>): Promise<void> {
  const { definitions } = contracts.registry
  const sampleRates = Object.fromEntries(definitions.map(({ subject }) => [subject, 1]))
  await setSampleRates(ctx, sampleRates)
}

export async function setSampleRates(
  ctx: RunningConsumer['ctx'],
  sampleRates: Readonly<Record<string, number>>,
): Promise<void> {
  const text = JSON.stringify({ sampleRates })
  await eventually(() => ctx.cacheRedis.set('bff-consumer-sampling', text))
  await eventually(() => {
    const seen = JSON.stringify(ctx.flags.sampleRates())
    if (seen !== JSON.stringify(sampleRates)) throw new Error('the rates are not applied yet')
  })
}
