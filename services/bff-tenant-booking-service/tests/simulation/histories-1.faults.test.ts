import { it } from 'vitest'
import { expectHistoriesToHold, TIME_LIMIT_MS } from './histories/long-form.ts'

it(
  'F1-F12 hold in random histories, part 1 of the long form',
  () => expectHistoriesToHold(1),
  TIME_LIMIT_MS + 60_000,
)
