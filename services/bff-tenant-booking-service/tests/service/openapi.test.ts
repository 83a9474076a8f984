import { testOpenApi } from '@melmastoon/testkit'
import { contracts } from '../harness/booking-environment.ts'

testOpenApi(contracts)
