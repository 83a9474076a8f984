import { type App, sendPrivateJson, streamLines } from '@melmastoon/chassis/http'
import { idPattern, type PropertyId } from '@melmastoon/domain'
import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { requireProperty } from '../../access/operator.ts'
import type { BackofficeContext } from '../../context.ts'
import { type DashboardPlan, planDashboard } from '../../dashboard/read-dashboard.ts'
import { Dashboard, DashboardLines, WIDGET_SOURCES } from '../../dashboard/widget.ts'
import type { WidgetJson } from '../../dashboard/widget-json.ts'

const DEADLINE_MS = 4_000
const LINES = 'application/x-ndjson'
/** Some clients show nothing before they have received this much. */
const SKELETON_BYTES = 1_024

const schema = {
  querystring: Type.Object({
    propertyId: Type.Unsafe<PropertyId>(Type.String({ pattern: idPattern('ppt') })),
  }),
  response: {
    200: {
      description:
        'Lines of JSON: `skeleton`, then each `widget` as soon as it is known, then `end`. A response without `end` is truncated. With `Accept: application/json` one document.',
      content: {
        'application/json': { schema: Dashboard },
        [LINES]: { schema: DashboardLines },
      },
    },
  },
}

/** The dashboard of a property, streamed (B2). */
export function getDashboardRoute(app: App, ctx: BackofficeContext) {
  const config = {
    operation: 'staff.dashboard.get',
    deadlineMs: DEADLINE_MS,
    problems: ['MELMASTOON.GENERAL.RESOURCE_NOT_FOUND'],
  } as const
  app.get('/dashboard', { config, schema }, async (request, reply) => {
    const { operator, query } = request
    const propertyId = requireProperty(operator, query.propertyId)
    const plan = await planDashboard(ctx, { operator, propertyId }, request)
    const widgets = prefersDocument(request.headers.accept)
      ? await sendDocument(reply, plan)
      : await sendLines(ctx, reply, plan)
    const isPartial = widgets.some(({ hasData }) => !hasData)
    // A client that disconnects stops the upstream calls of its widgets.
    if (isPartial && !reply.raw.destroyed) ctx.dashboardMetrics.onPartial()
    return reply
  })
}

function prefersDocument(accept = ''): boolean {
  return accept.includes('application/json') && !accept.includes(LINES)
}

async function sendDocument(
  reply: FastifyReply,
  { widgets, ...plan }: DashboardPlan,
): Promise<readonly WidgetJson[]> {
  const all = await Promise.all(widgets.map(({ json }) => json))
  const complete = all.every(({ isComplete }) => isComplete)
  const head = JSON.stringify({ ...plan, complete }).slice(0, -1)
  sendPrivateJson(reply, `${head},"widgets":[${all.map(({ text }) => text).join(',')}]}`)
  return all
}

async function sendLines(
  { dashboardMetrics }: Pick<BackofficeContext, 'dashboardMetrics'>,
  reply: FastifyReply,
  { widgets, ...plan }: DashboardPlan,
): Promise<readonly WidgetJson[]> {
  const lines = streamLines(reply, LINES)
  const names = widgets.map(({ id }) => ({ id, upstream: WIDGET_SOURCES[id].upstream }))
  lines.write(pad(JSON.stringify({ type: 'skeleton', ...plan, widgets: names })))
  dashboardMetrics.onFirstByte(performance.now() - reply.request.state.startedMs)
  const sent = widgets.map(async ({ json }) => {
    const widget = await json
    lines.write(`{"type":"widget",${widget.text.slice(1)}`)
    return widget
  })
  const all = await Promise.all(sent)
  const complete = all.every(({ isComplete }) => isComplete)
  lines.write(JSON.stringify({ type: 'end', complete }))
  lines.end()
  return all
}

/** White space after a JSON text is part of it. */
function pad(line: string): string {
  return line.padEnd(SKELETON_BYTES - 1, ' ')
}
