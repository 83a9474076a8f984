import { newId, problem } from '@melmastoon/domain'
import type { TestEnvironment, TestService } from '@melmastoon/testkit'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { BackofficeContext } from '../../src/context.ts'
import { backofficeEnvironment } from '../harness/backoffice-environment.ts'
import { operatorOf, startActivityService, TEST_PREFIX } from './activity-service.ts'

const housekeeper = operatorOf('housekeeping')
const desk = operatorOf('front_desk', { tenantId: housekeeper.tenantId })
let environment: TestEnvironment
let service: TestService<BackofficeContext>
let ledgerFails = false
beforeAll(async () => {
  environment = await backofficeEnvironment()
  const operators = new Map([
    ['housekeeper', housekeeper],
    ['desk', desk],
  ])
  service = await startActivityService(environment, operators, (ledger) => ({
    record: (activity) =>
      ledgerFails
        ? Promise.reject(problem('MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'))
        : ledger.record(activity),
  }))
})
afterAll(async () => {
  await service[Symbol.asyncDispose]()
  await environment[Symbol.asyncDispose]()
})

interface Row {
  readonly operator_id: string
  readonly outcome: string
  readonly error_code: string | null
  readonly resource_id: string | null
}

/** The rows since the last call, oldest first. */
async function newRows(): Promise<Row[]> {
  const { schema } = environment
  const columns = 'operator_id, outcome, error_code, resource_id'
  const rows = await environment.query<Row>(
    `select ${columns} from ${schema}.operator_activity order by id`,
  )
  await environment.query(`truncate ${schema}.operator_activity`)
  return rows
}

interface Sent {
  readonly as?: string
  readonly taskId?: string
  readonly json?: unknown
  readonly key?: string | undefined
}

const taskId = newId('hkt')
const post = ({ as = 'housekeeper', json = { note: 'x' }, ...more }: Sent = {}) =>
  service.post(`${TEST_PREFIX}/tasks/${more.taskId ?? taskId}`, {
    json,
    key: 'key' in more ? more.key : newId('req'),
    headers: { authorization: as },
  })

it('B11 has one row for a success and none for its replay', async () => {
  const key = newId('req')
  expect((await post({ key })).status).toBe(200)
  expect((await post({ key })).headers.get('idempotent-replayed')).toBe('true')
  expect(await newRows()).toEqual([
    {
      operator_id: housekeeper.operatorId,
      outcome: 'success',
      error_code: null,
      resource_id: taskId,
    },
  ])
})

const failure = (code: string, operatorId: string = housekeeper.operatorId) => ({
  operator_id: operatorId,
  outcome: 'failure',
  error_code: `MELMASTOON.${code}`,
  resource_id: taskId,
})

it.each([
  [{ as: 'desk' }, 403, failure('BFF.BACKOFFICE.ROLE_FORBIDDEN', desk.operatorId)],
  [{ json: { note: 7 } }, 400, failure('GENERAL.VALIDATION_FAILED')],
  [{ json: { note: 'conflict' } }, 409, failure('GENERAL.CONFLICT')],
  [{ key: undefined }, 400, failure('IDEMPOTENCY.KEY_MISSING')],
])('B11 has one row for the rejection of %o', async (sent, status, row) => {
  expect((await post(sent)).status).toBe(status)
  expect(await newRows()).toEqual([row])
})

it('B17 stores no parameter that is not an id', async () => {
  expect((await post({ as: 'desk', taskId: 'Ahmad%20Shah' })).status).toBe(403)
  expect((await newRows()).map(({ resource_id }) => resource_id)).toEqual([null])
})

it('has no row for a sender that is not known', async () => {
  expect((await post({ as: 'nobody' })).status).toBe(401)
  expect(await newRows()).toEqual([])
})

it.each([{ as: 'desk' }, { json: { note: 7 } }, {}])(
  'B11 rejects %o with 503 while nothing can be recorded',
  async (sent) => {
    ledgerFails = true
    const { status, body } = await post(sent)
    ledgerFails = false
    expect([status, body['code']]).toEqual([503, 'MELMASTOON.GENERAL.DEPENDENCY_UNAVAILABLE'])
  },
)
