import { testDescriptions, testOpenApi } from '@melmastoon/testkit'
import { contracts } from '../harness/start-consumer.ts'

testOpenApi(contracts)
testDescriptions(contracts)
