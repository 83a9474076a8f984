import type { OperationExamples } from '@melmastoon/chassis/http'
import { boardExamples } from './board-examples.ts'
import { dashboardExamples } from './dashboard-examples.ts'
import { deskExamples } from './desk-examples.ts'
import { deviceExamples } from './device-examples.ts'
import { inboxExamples } from './inbox-examples.ts'
import { roomExamples } from './room-examples.ts'
import { sessionExamples } from './session-examples.ts'

/**
 * By operation: one day at a hotel of the demo world. A test sends the bodies and validates the
 * responses.
 */
export const EXAMPLES = {
  ...sessionExamples,
  ...dashboardExamples,
  ...boardExamples,
  ...deskExamples,
  ...roomExamples,
  ...inboxExamples,
  ...deviceExamples,
} as const satisfies Readonly<Record<string, OperationExamples>>
