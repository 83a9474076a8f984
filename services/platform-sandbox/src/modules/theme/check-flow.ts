import { type FieldError, problem } from '@melmastoon/domain'
import { FLOW_STEPS, type FlowStep } from '@melmastoon/upstream-contracts/theme'

const OPTIONAL: ReadonlySet<FlowStep> = new Set(['rates'])

/** The rates belong to a room, and nobody pays before the details or after the confirmation. */
export function checkFlow(steps: readonly FlowStep[] = FLOW_STEPS): void {
  const at = (step: FlowStep) => steps.indexOf(step)
  const errors: FieldError[] = []
  const reject = (code: string, detail: string) =>
    errors.push({ pointer: '/flow/steps', code, detail })
  const missing = FLOW_STEPS.filter((step) => !steps.includes(step) && !OPTIONAL.has(step))
  if (missing.length > 0) reject('missing', `must contain ${missing.join(', ')}`)
  if (steps.includes('rates') && at('rates') < at('rooms')) {
    reject('order', 'must list rates after rooms')
  }
  if (at('payment') < at('details')) reject('order', 'must list payment after details')
  if (steps.at(-1) !== 'confirmation') reject('order', 'must end with confirmation')
  if (errors.length > 0) throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
