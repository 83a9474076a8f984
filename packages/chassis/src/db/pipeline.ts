import type { Connection, FieldDef, Submittable } from 'pg'
import { toParameter, type WireValue } from './parameter.ts'
import { columnParser } from './row-types.ts'
import type { Statement } from './statement.ts'
import { type Column, type Prepared, statementCacheOf, unnamed } from './statement-cache.ts'

const PARAMETERS_MAX = 65_535

export interface PipelineResult {
  rows: Record<string, unknown>[]
  /** Command tag of the last statement, for instance `COMMIT` or `INSERT 0 1`. */
  tag: string
}

export interface PipelineEnd {
  resolve(result: PipelineResult): void
  /** `isReady` means that the server has already responded to the Sync. */
  reject(error: unknown, isReady: boolean): void
}

interface Step {
  readonly text: string
  readonly label: string | undefined
  readonly values: WireValue[]
  prepared: Prepared
}

/**
 * Several statements sent behind one Sync: one round trip, and outside a transaction block all of
 * them share the implicit transaction that ends at the Sync. Only the last
 * one's rows are returned.
 * It takes the place of pg's own Query in the Client, which calls the `handle…` methods.
 */
export class Pipeline implements Submittable {
  readonly #steps: readonly Step[]
  readonly #named: boolean
  readonly #end: PipelineEnd
  readonly #rows: Record<string, unknown>[] = []
  #position = 0
  #tag = ''
  #rowError: unknown

  constructor(statements: readonly Statement<unknown>[], named: boolean, end: PipelineEnd) {
    this.#steps = statements.map(toStep)
    this.#named = named
    this.#end = end
  }

  submit(connection: Connection): void {
    connection.stream.cork()
    try {
      for (const [index, step] of this.#steps.entries()) {
        this.#send(connection, step, index === this.#steps.length - 1)
      }
      connection.sync()
    } finally {
      connection.stream.uncork()
    }
  }

  #send(connection: Connection, step: Step, isLast: boolean): void {
    if (this.#named) this.#prepare(connection, step)
    const { prepared } = step
    if (prepared.doubtful) connection.close({ type: 'S', name: prepared.name }, true)
    if (!prepared.ready) {
      connection.parse({ name: prepared.name, text: step.text, types: [] }, true)
    }
    connection.bind({ statement: prepared.name, values: step.values }, true)
    if (isLast && prepared.columns === undefined) connection.describe({ type: 'P' }, true)
    connection.execute(null, true)
  }

  #prepare(connection: Connection, step: Step): void {
    const { prepared, evicted } = statementCacheOf(connection).find(step.text, step.label)
    step.prepared = prepared
    if (evicted !== undefined) connection.close({ type: 'S', name: evicted }, true)
  }

  #current(): Step | undefined {
    return this.#steps[this.#position]
  }

  handleRowDescription(message: { fields: readonly FieldDef[] }): void {
    const step = this.#current()
    if (step !== undefined) step.prepared.columns = message.fields.map(toColumn)
  }

  handleDataRow(message: { fields: readonly (string | null)[] }): void {
    const isLast = this.#position === this.#steps.length - 1
    if (!isLast || this.#rowError !== undefined) return
    try {
      this.#rows.push(toRow(this.#current()?.prepared.columns ?? [], message.fields))
    } catch (error) {
      this.#rowError = error
    }
  }

  handleCommandComplete(message: { text: string }): void {
    this.#tag = message.text
    this.#finishStep()
  }

  handleEmptyQuery(): void {
    this.#finishStep()
  }

  #finishStep(): void {
    const step = this.#current()
    if (step !== undefined) {
      step.prepared.ready = true
      step.prepared.doubtful = false
      const wasDescribed = this.#position === this.#steps.length - 1
      if (wasDescribed) step.prepared.columns ??= []
    }
    this.#position += 1
  }

  handleError(error: unknown): void {
    const step = this.#current()
    if (step !== undefined) {
      step.prepared.ready = false
      step.prepared.doubtful = true
      step.prepared.columns = undefined
    }
    this.#end.reject(error, false)
  }

  handleReadyForQuery(): void {
    if (this.#rowError === undefined) this.#end.resolve({ rows: this.#rows, tag: this.#tag })
    else this.#end.reject(this.#rowError, true)
  }

  handlePortalSuspended(): void {}

  handleCopyInResponse(connection: Connection & { sendCopyFail(reason: string): void }): void {
    connection.sendCopyFail('COPY is not supported here')
  }

  handleCopyData(): void {}
}

function toStep(statement: Statement<unknown>): Step {
  const values = statement.values.map(toParameter)
  if (values.length > PARAMETERS_MAX) {
    throw new TypeError(`${values.length} parameters, Postgres takes ${PARAMETERS_MAX}`)
  }
  return { text: statement.text, label: statement.name, values, prepared: unnamed() }
}

function toColumn(field: FieldDef): Column {
  return { name: field.name, parse: columnParser(field.dataTypeID) }
}

function toRow(columns: readonly Column[], fields: readonly (string | null)[]) {
  const row: Record<string, unknown> = {}
  for (let index = 0; index < columns.length; index += 1) {
    const column = columns[index]
    const text = fields[index]
    if (column !== undefined) row[column.name] = text == null ? null : column.parse(text)
  }
  return row
}
