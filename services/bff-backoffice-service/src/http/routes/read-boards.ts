import { type App, sendPrivateJson } from '@melmastoon/chassis/http'
import { type IsoDate, idPattern, type PropertyId } from '@melmastoon/domain'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import { type BoardName, DATED_BOARDS, type DatedBoard } from '../../boards/board-key.ts'
import { boardSchema, RoomRow, StayRow, TodayRow, WorkOrderRow } from '../../boards/board-rows.ts'
import { readBoard } from '../../boards/read-board.ts'
import type { BackofficeContext } from '../../context.ts'
import { asBudgetExceeded } from '../../upstreams/create-upstreams.ts'

const DEADLINE_MS = 3_000
const ROWS_MAX = 1_000

const query = {
  propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
  since: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        '`delta.cursor` of an earlier response, for changes since then; `cursor` and `limit` are ignored. A `page.nextCursor` is rejected.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ maxLength: 300, description: '`page.nextCursor` of the page before' }),
  ),
  limit: Type.Integer({ minimum: 1, maximum: ROWS_MAX, default: ROWS_MAX }),
}

/** Of boards that show what is now. */
const Query = Type.Object(query)

const DatedQuery = Type.Object({
  ...query,
  date: Type.Optional(
    Type.Unsafe<IsoDate>(
      Type.String({
        format: 'date',
        description:
          "The hotel's business date by default; at most 31 days before and 92 days after it",
      }),
    ),
  ),
})

const isDated = (board: BoardName): board is DatedBoard =>
  (DATED_BOARDS as readonly BoardName[]).includes(board)

interface BoardRoute {
  readonly board: BoardName
  readonly path: string
  readonly operation: string
  readonly schema: Type.TSchema
}

const ROUTES: readonly BoardRoute[] = [
  {
    board: 'today',
    path: '/today',
    operation: 'staff.board.today',
    schema: boardSchema('TodayBoard', TodayRow),
  },
  {
    board: 'arrivals',
    path: '/arrivals',
    operation: 'staff.board.arrivals',
    schema: boardSchema('ArrivalsBoard', StayRow),
  },
  {
    board: 'departures',
    path: '/departures',
    operation: 'staff.board.departures',
    schema: boardSchema('DeparturesBoard', StayRow),
  },
  {
    board: 'in_house',
    path: '/in-house',
    operation: 'staff.board.in-house',
    schema: boardSchema('InHouseBoard', StayRow),
  },
  {
    board: 'housekeeping',
    path: '/housekeeping',
    operation: 'staff.board.housekeeping',
    schema: boardSchema('HousekeepingBoard', RoomRow),
  },
  {
    board: 'maintenance',
    path: '/maintenance',
    operation: 'staff.board.maintenance',
    schema: boardSchema('MaintenanceBoard', WorkOrderRow),
  },
]

/** The six boards (B3): they differ in their rows only. */
export function readBoardsRoutes(app: App, ctx: BackofficeContext) {
  for (const { board, path, operation, schema } of ROUTES) {
    const config = {
      operation,
      deadlineMs: DEADLINE_MS,
      problems: [
        'MELMASTOON.GENERAL.RESOURCE_NOT_FOUND',
        'MELMASTOON.BFF.BACKOFFICE.CURSOR_INVALID',
        'MELMASTOON.BFF.BACKOFFICE.UPSTREAM_BUDGET_EXCEEDED',
      ],
    } as const
    const querystring: typeof DatedQuery | typeof Query = isDated(board) ? DatedQuery : Query
    const options = { config, schema: { querystring, response: { 200: schema } } }
    app.get(path, options, async (request, reply) => {
      const { operator, query } = request
      const propertyId = requireProperty(operator, query.propertyId)
      const wanted = { ...query, operator, propertyId, board }
      const json = await readBoard(ctx, wanted, request).catch(asBudgetExceeded)
      sendPrivateJson(reply, json)
      return reply
    })
  }
}
