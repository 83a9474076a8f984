/**
 * One SQL statement with its parameters. `R` is the shape of a row as this module returns it:
 * `timestamptz` is a Date, `date` an ISO string, `numeric` a string, `jsonb` the parsed value, and
 * `bigint` a number (reading one beyond the safe integers throws, D7).
 */
export interface Statement<R> {
  /** Shown in `pg_prepared_statements`; for operators only. */
  readonly name?: string
  readonly text: string
  readonly values: readonly unknown[]
  /** Topics of the work that it writes: once it is committed, waiting workers look for it. */
  readonly announces?: readonly string[]
  /** Never set: it carries the row type from the statement to the query. */
  readonly row?: R
}

/** The row type is declared by the statement; it is not checked here. */
export function rowsOf<R>(_statement: Statement<R>, rows: Record<string, unknown>[]): R[] {
  return rows as R[]
}

export interface Queryable {
  query<R>(statement: Statement<R>): Promise<R[]>
}

/** Rejects queries once it has ended. Concurrent queries run one after the other. */
export interface Tx extends Queryable {
  /** Runs after a successful commit only; its failure is reported and does not undo the commit. */
  onCommit(effect: () => void | Promise<void>): void
}

export interface Transactor {
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}
