import type { ServiceDefinition } from '@melmastoon/chassis/service'
import type { Instance } from '@melmastoon/one-machine'

/** What a variant is in the comparison: see the columns of the final table. */
export type Role = 'limit' | 'floor' | 'us' | 'peer' | 'control'

/** One measurement: metric name → value. */
export type Sample = Readonly<Record<string, number>>

export interface Running extends AsyncDisposable {
  measure(): Promise<Sample>
}

export interface Variant {
  readonly name: string
  readonly role: Role
  /** Everything is started before the first round and stays up until the last. */
  setup(): Promise<Running>
}

export interface Metric {
  readonly key: string
  readonly label: string
  readonly digits: number
}

/** A statement about function, not about speed: it holds on every machine, however busy. */
export interface Fact {
  readonly text: string
  holds(samples: ReadonlyMap<string, readonly Sample[]>): boolean
}

/** Alternatives that do the same work, measured in turn. */
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

/** `variant` (÷ `against`) of `metric`, held against a bound of the performance goals. */
export interface Goal {
  readonly text: string
  readonly metric: string
  readonly variant: string
  readonly against?: string
  readonly atMost?: number
  readonly atLeast?: number
  /** A count, which no other program on the machine can blur. */
  readonly exact?: boolean
  /** Whose value stands under which heading of the final table; by role when not said. */
  readonly columns?: Partial<Record<'limit' | 'floor' | 'us' | 'peer', string>>
}

export interface Row {
  readonly id: string
  readonly title: string
  parts(world: BenchWorld): Promise<Part[]>
}

/** What rows may ask of the run they are part of. */
export type MigratedService = Pick<
  ServiceDefinition,
  'config' | 'migrations' | 'idempotencyIsolation'
>

export interface BenchWorld {
  readonly short: boolean
  /** The first number in a real run, the second in the short form that tests run. */
  pick(full: number, short: number): number
  readonly peersInstalled: boolean
  /** CPU that Postgres and Redis have used so far. */
  serversCpuUs(): number
  /** The administrator's address of a new database. */
  emptyDatabase(): Promise<string>
  redisUrl(instance: 'session' | 'cache'): Promise<string>
  /** The environment of an example service with a database of its own. */
  exampleEnv(): Promise<Record<string, string>>
  /** The same for another service. */
  serviceEnv(service: MigratedService): Promise<Record<string, string>>
  folder(name: string): string
  /** A server that a row has started and that must not outlive the run. */
  adopt(server: Instance): void
}
