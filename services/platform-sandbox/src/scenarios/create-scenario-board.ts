import type { Database } from '@melmastoon/chassis/db'
import type { ScenarioBoard } from './scenario-board.ts'

export interface ScenarioBoardOptions {
  readonly db: Database
  readonly onError: (error: unknown) => void
}

export function createScenarioBoard(_options: ScenarioBoardOptions): ScenarioBoard & Disposable {
  return {
    faultFor: () => undefined,
    webhookFate: () => 'prompt',
    [Symbol.dispose]() {},
  }
}
