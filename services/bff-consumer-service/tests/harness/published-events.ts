import { eventually } from '@melmastoon/testkit'
import { contracts, type Running, type TestEnvironment } from './start-consumer.ts'

/** An event as it is in the outbox. */
export interface Told {
  readonly subject: string
  readonly payload: Record<string, unknown>
  readonly envelope: Record<string, unknown>
}

export interface Teller {
  readonly service: Running
  readonly environment: Pick<TestEnvironment, 'adminUrl' | 'query'>
}

/** What was begun behind the answers is done, and all of it is in the outbox. */
export async function settle({ service: { ctx } }: Pick<Teller, 'service'>): Promise<void> {
  // It waits for what runs and ends nothing; work may have begun more work, once.
  await ctx.background[Symbol.asyncDispose]()
  await ctx.background[Symbol.asyncDispose]()
  await ctx.telemetry.flush()
}

/** All that was told of one guest, in the order in which it is delivered. */
export async function toldOf(teller: Teller, sessionId: string): Promise<Told[]> {
  await settle(teller)
  return await teller.environment.query<Told>(`select subject, payload, envelope from (
       select seq, subject, payload, envelope, ordering_key from bff_consumer.outbox
       union all
       select seq, subject, payload, envelope, ordering_key from bff_consumer.outbox_published
     ) told where ordering_key = '${sessionId}' order by seq`)
}

/** Subjects without what they all have in common. */
export function namesOf(told: readonly Pick<Told, 'subject'>[]): string[] {
  return told.map(({ subject }) => subject.replace('melmastoon.bff.consumer.', ''))
}

/** Every event of every guest: sampling is a test of its own. */
export async function tellAll({ service: { ctx } }: Pick<Teller, 'service'>): Promise<void> {
  const { definitions } = contracts.registry
  const sampleRates = Object.fromEntries(definitions.map(({ subject }) => [subject, 1]))
  await setRates(ctx, sampleRates)
}

export async function setRates(
  ctx: Running['ctx'],
  sampleRates: Readonly<Record<string, number>>,
): Promise<void> {
  const text = JSON.stringify({ sampleRates })
  await eventually(() => ctx.cacheRedis.set('bff-consumer-sampling', text))
  await eventually(() => {
    const seen = JSON.stringify(ctx.flags.sampleRates())
    if (seen !== JSON.stringify(sampleRates)) throw new Error('not seen yet')
  })
}
