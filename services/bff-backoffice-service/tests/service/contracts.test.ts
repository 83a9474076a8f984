import { testContracts } from '@melmastoon/testkit'
import { service } from '../../src/service.ts'
import { contracts } from '../harness/backoffice-environment.ts'

testContracts({
  service,
  contracts,
  module: new URL('../../src/service.ts', import.meta.url),
  committed: new URL('../../contracts/', import.meta.url),
})
