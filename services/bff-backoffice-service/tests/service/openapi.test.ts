import { testOpenApi } from '@melmastoon/testkit'
import { contracts } from '../harness/backoffice-environment.ts'

testOpenApi(contracts)
