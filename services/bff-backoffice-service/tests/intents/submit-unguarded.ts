import { createDeadline } from '@melmastoon/chassis/clock'
import { newTrace } from '@melmastoon/chassis/telemetry'
import { newId } from '@melmastoon/domain'
import type { Operator } from '../../src/access/operator.ts'
import type { IntentResult } from '../../src/intents/intent-view.ts'
import type { SettleDeps } from '../../src/intents/settle-intent.ts'
import { submitIntents } from '../../src/intents/submit-intents.ts'
import type { IntentDevice } from './intent-device.ts'
import { shared } from './intent-fixture.ts'

export interface Unguarded {
  /** Rights other than those of now. */
  readonly operator?: Operator
  /** Replaces collaborators, to disable the safeguard that they are. */
  readonly disable?: (deps: SettleDeps) => Partial<SettleDeps>
}

/** For negative controls: a batch that does not pass the route, with a safeguard disabled. */
export async function submitUnguarded(
  device: IntentDevice,
  intents: readonly unknown[],
  { operator = operatorOf(device), disable = () => ({}) }: Unguarded = {},
): Promise<IntentResult[]> {
  const { ctx } = shared.office.service
  const deps = { ...ctx, onError: () => undefined }
  using deadline = createDeadline(10_000)
  return await submitIntents(
    { ...deps, ...disable(deps) },
    {
      operator,
      intents,
      deadline,
      trace: newTrace(),
      bootId: 'boot-1',
      sentAt: new Date(),
      cause: () => causeOf(device),
    },
  )
}

/** With all rights of a manager, at all properties. */
export function operatorOf({ tokens, jkt }: IntentDevice): Operator {
  const { tenantId, operatorId, deviceId, sessionId } = tokens
  const ids = { tenantId, operatorId, deviceId, sessionId, jkt }
  const tokenExpiresAt = new Date(Date.now() + 600_000)
  return { ...ids, roles: ['general_manager'], isLead: true, properties: '*', tokenExpiresAt }
}

export const causeOf = ({ tokens: { tenantId } }: Pick<IntentDevice, 'tokens'>) => ({
  producerInstance: 'test',
  tenantId,
  requestId: newId('req'),
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  occurredAt: new Date(),
})

/** As if every attempt at a charge had a key and a cause of its own. */
export function withOwnKeys({ upstreams }: Pick<SettleDeps, 'upstreams'>) {
  const { billing } = upstreams
  const unguarded: typeof billing = {
    ...billing,
    findCharge: ({ params }, call) =>
      billing.findCharge({ params: { ...params, causationId: newId('req') } }, call),
    postCharge: (input, call) => {
      const causationId = `${input.body.causationId}.again`
      const body = { ...input.body, causationId }
      return billing.postCharge({ ...input, body }, { ...call, idempotencyKey: newId('req') })
    },
  }
  return { upstreams: { ...upstreams, billing: unguarded } }
}
