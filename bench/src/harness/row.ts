import type { ServiceDefinition } from '@melmastoon/chassis/service'
import type { Instance } from '@melmastoon/one-machine'

/** The role of a variant in the comparison; a column of the final table. */
export type Role = 'limit' | 'floor' | 'us' | 'peer' | 'control'

/** One measurement: metric name → value. */
export type Sample = Readonly<Record<string, number>>

export interface Running extends AsyncDisposable {
  measure(): Promise<Sample>
}

export interface Variant {
  readonly name: string
  readonly role: Role
  /** Variants are started before the first round and run until the last. */
  setup(): Promise<Running>
}

export interface Metric {
  readonly key: string
  readonly label: string
  readonly digits: number
  /** Some variants have no value. */
  readonly optional?: boolean
}

/** A statement about function, not speed: it must hold on every machine under any load. */
export interface Fact {
  readonly text: string
  holds(samples: ReadonlyMap<string, readonly Sample[]>): boolean
}

/** Alternatives that do the same work, measured alternately. */
export interface Part {
  readonly title: string
  readonly metrics: readonly Metric[]
  readonly variants: readonly Variant[]
  readonly rounds: number
  /** Ratios of this metric are shown against the variant whose role is `floor`. */
  readonly compare: string
  readonly facts?: readonly Fact[]
  readonly goals?: readonly Goal[]
}

/** `variant` (÷ `against`) of `metric`, compared with a bound of the performance goals. */
export interface Goal {
  readonly text: string
  readonly metric: string
  readonly variant: string
  readonly against?: string
  readonly atMost?: number
  readonly atLeast?: number
  /** A count, which does not depend on the load of the machine. */
  readonly exact?: boolean
  /** The variant for each column of the final table; by role if absent. */
  readonly columns?: Partial<Record<'limit' | 'floor' | 'us' | 'peer', string>>
}

export type Growth = 'usual' | 'full'

export interface Row {
  readonly id: string
  readonly title: string
  /** Too long for the short form that tests run, unless it is named. */
  readonly onlyFull?: boolean
  parts(world: BenchWorld): Promise<Part[]>
}

/** What the run provides to its rows. */
export type MigratedService = Pick<
  ServiceDefinition,
  'config' | 'migrations' | 'idempotencyIsolation'
>

export interface BenchWorld {
  readonly short: boolean
  /** `full` includes sizes whose demo data takes minutes to write. */
  readonly growth: Growth
  /** The first number in a real run, the second in the short form that tests run. */
  pick(full: number, short: number): number
  readonly peersInstalled: boolean
  /** CPU that Postgres and Redis have used so far. */
  serversCpuUs(): number
  /** The URL of a new database, as administrator. */
  emptyDatabase(): Promise<string>
  redisUrl(instance: 'session' | 'cache'): Promise<string>
  /** The URL of a database that nothing else uses. */
  emptyRedis(instance: 'session' | 'cache'): Promise<string>
  /** The environment of an example service with a database of its own. */
  exampleEnv(): Promise<Record<string, string>>
  /** The same for another service; an upstream has a Postgres of its own that is not counted. */
  serviceEnv(
    service: MigratedService,
    options?: { readonly isUpstream?: boolean },
  ): Promise<Record<string, string>>
  folder(name: string): string
  /** A server that a row has started and that must not outlive the run. */
  adopt(server: Instance): void
}
