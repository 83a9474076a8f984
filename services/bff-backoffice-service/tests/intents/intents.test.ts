import { afterAll, beforeAll } from 'vitest'
import { shared, startShared } from './intent-fixture.ts'
import './batch-cases.ts'
import './conflict-cases.ts'
import './outage-cases.ts'
import './replay-cases.ts'
import './crash-cases.ts'
import './dependency-cases.ts'
import './clock-cases.ts'
import './kind-cases.ts'
import './rights-cases.ts'
import './simulation/conformance-cases.ts'

// Starting the sandbox takes longer than all cases, so they share one.
beforeAll(startShared)
afterAll(() => shared.office[Symbol.asyncDispose]())
