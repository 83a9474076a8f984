import { newId } from '@melmastoon/domain'
import type { IntentResult } from '../../src/intents/intent-view.ts'
import { type Staff, type StaffOptions, signIn } from '../harness/staff.ts'
import type { Backoffice } from '../harness/start-backoffice.ts'

export interface TestIntent {
  readonly intentId: string
  readonly seq: number
  readonly name: string
  readonly resourceId: string
  readonly expect?: object
  readonly args?: object
  readonly occurredAt: string
  readonly dependsOn?: string
}

/** A device with a queue of its own. */
export interface IntentDevice extends Staff {
  intent(
    name: string,
    resourceId: string,
    more?: Partial<Omit<TestIntent, 'name' | 'resourceId'>>,
  ): TestIntent
  submit(intents: readonly unknown[], more?: SubmitOptions): Promise<IntentResult[]>
}

export interface SubmitOptions {
  readonly sentAt?: Date
  readonly bootId?: string
  readonly idempotencyKey?: string
}

export async function intentDevice(
  office: Pick<Backoffice, 'sandbox' | 'service'>,
  username: string,
  options?: StaffOptions,
): Promise<IntentDevice> {
  const staff = await signIn(office, username, options)
  let seq = 0
  return Object.assign(staff, {
    intent: (name: string, resourceId: string, more: Partial<TestIntent> = {}): TestIntent => ({
      intentId: newId('int'),
      seq: ++seq,
      name,
      resourceId,
      occurredAt: new Date().toISOString(),
      ...more,
    }),
    async submit(intents: readonly unknown[], more: SubmitOptions = {}) {
      const { sentAt = new Date(), bootId = 'boot-1', ...options } = more
      const body = { sentAt: sentAt.toISOString(), bootId, intents }
      const response = await staff.post<{ results: IntentResult[] }>(
        '/offline-actions',
        body,
        options,
      )
      if (response.status !== 200) {
        throw new Error(`${response.status} ${JSON.stringify(response.body)}`)
      }
      return response.body.results
    },
  })
}

/** Without what every result has. */
export const verdictOf = ({ verdict, pending }: IntentResult | undefined = EMPTY) =>
  pending ? 'pending' : verdict

const EMPTY: IntentResult = { intentId: null, pending: false, replayed: false }
