import { runServiceProgram } from '@melmastoon/chassis/service'
import { service } from '../../src/service.ts'
import { reportMemory } from './report-memory.ts'

/** The service as a program whose memory a test can read. */
reportMemory()
await runServiceProgram(service, process.env)
