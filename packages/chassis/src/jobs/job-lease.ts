import { randomUUID } from 'node:crypto'
import { problem } from '@melmastoon/domain'
import type { Database } from '../db/index.ts'
import { finishJob, renewJob, takeJob } from './job-run-sql.ts'

export interface JobLeaseOptions {
  db: Database
  name: string
  instance: string
  leaseSeconds: number
  quietSeconds: number
}

/**
 * The right to run a job now. While the run lasts it is renewed at a third of its length, so a
 * crashed runner blocks the job for one lease and no longer. Losing it aborts the run.
 */
export class JobLease implements Disposable {
  readonly runner: string
  readonly #options: JobLeaseOptions
  readonly #lost = new AbortController()
  readonly #timer: NodeJS.Timeout

  private constructor(options: JobLeaseOptions, runner: string) {
    this.#options = options
    this.runner = runner
    const everyMs = (options.leaseSeconds * 1000) / 3
    this.#timer = setInterval(() => void this.#renew(), everyMs)
  }

  static async take(options: JobLeaseOptions): Promise<JobLease> {
    const { db, name, instance, leaseSeconds, quietSeconds } = options
    const runner = `${instance}#${randomUUID()}`
    const rows = await db.query(takeJob({ name, runner, leaseSeconds, quietSeconds }))
    if (rows.length === 0) throw problem('MELMASTOON.JOB.ALREADY_RUNNING')
    return new JobLease(options, runner)
  }

  get lost(): AbortSignal {
    return this.#lost.signal
  }

  /** False when the lease was lost in the meantime: the result is not stored. */
  async finish(result: object): Promise<boolean> {
    const { db, name } = this.#options
    this[Symbol.dispose]()
    const rows = await db.query(finishJob({ name, runner: this.runner, result }))
    return rows.length === 1
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** A failed renewal is no loss yet: the lease outlives two of them. */
  async #renew(): Promise<void> {
    const { db, name, leaseSeconds } = this.#options
    const renewal = db.query(renewJob({ name, runner: this.runner, leaseSeconds }))
    const rows = await renewal.catch(() => null)
    if (rows?.length === 0) {
      this[Symbol.dispose]()
      this.#lost.abort(new DOMException('the lease of the job was lost', 'AbortError'))
    }
  }
}
