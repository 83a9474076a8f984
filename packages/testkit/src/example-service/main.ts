import { runServiceProgram } from '@melmastoon/chassis/service'
import { startExampleUpstream } from '../example-upstream.ts'
import { service } from './service.ts'

/** Without a configured upstream the example starts one, so that it can run alone. */
const { EXAMPLE_UPSTREAM_URL = (await startExampleUpstream()).url } = process.env
await runServiceProgram(service, { ...process.env, EXAMPLE_UPSTREAM_URL })
