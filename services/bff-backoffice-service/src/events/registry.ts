import { createRegistry } from '@melmastoon/events'
import { sessionClosed, sessionOpened } from './session-events.ts'

/** What operators do with the back office (B11, B17): ids only. */
export const registry = createRegistry([sessionOpened, sessionClosed])
