import { runServiceProgram } from '@melmastoon/chassis/service'
import { service } from './service.ts'

await runServiceProgram(service, process.env)
