import type { OutputOf } from '@melmastoon/upstream-contracts'
import type { searchContract } from '@melmastoon/upstream-contracts/search'

export type Suggestion = OutputOf<typeof searchContract.operations.suggest>['suggestions'][number]
