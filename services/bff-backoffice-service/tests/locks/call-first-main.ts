import { runServiceProgram } from '@melmastoon/chassis/service'
import type { ContextOverrides } from '../../src/context.ts'
import { service } from '../../src/service.ts'
import { callFirst } from './call-first.ts'

/** The negative control of STAFF-LOCK-01: the lock service is called before the audit has a row. */
await runServiceProgram(
  {
    ...service,
    createContext: (base, overrides: ContextOverrides) =>
      service.createContext(base, { ...overrides, locks: { begin: callFirst } }),
  },
  process.env,
)
