import { problem, type TenantId } from '@melmastoon/domain'
import { id } from '@melmastoon/upstream-contracts'
import type { ColorRoles, ThemeVersion } from '@melmastoon/upstream-contracts/theme'
import { Type } from 'typebox'
import type { ControlRoom, Operator } from '../control-room.ts'
import { tenantCall } from '../operator-call.ts'
import { defineAction } from './action.ts'

const TenantParams = Type.Object({ tenantId: id('tnt') })

export const publishNextTheme = defineAction({
  name: 'theme.publish-next',
  path: '/tenants/:tenantId/themes/publish-next',
  summary: 'Publish the next theme; creates one with other colours if there is none',
  done: 'The next theme is published.',
  section: 'theme',
  params: TenantParams,
  body: Type.Object({}),
  async run(room, { params }, operator) {
    const { tenantId } = params
    const { published, versions } = await readThemes(room, tenantId, operator)
    const after = versions.filter(({ version }) => version > published.version).at(-1)
    const next = after ?? (await createNext(room, published, operator))
    return await publish(room, next, operator)
  },
})

export const rollBackTheme = defineAction({
  name: 'theme.roll-back',
  path: '/tenants/:tenantId/themes/roll-back',
  summary: 'Publish the previous theme',
  done: 'The previous theme is published.',
  section: 'theme',
  params: TenantParams,
  body: Type.Object({}),
  async run(room, { params }, operator) {
    const { published, versions } = await readThemes(room, params.tenantId, operator)
    const before = versions.find(({ version }) => version < published.version)
    if (before === undefined) throw problem('MELMASTOON.THEME.VERSION_NOT_FOUND')
    return await publish(room, before, operator)
  },
})

/** Newest first. */
export async function readThemes(room: ControlRoom, tenantId: TenantId, operator: Operator) {
  const { handlers } = room.modules.theme
  const call = tenantCall(operator, tenantId)
  const { versions } = await handlers.listVersions({ params: { tenantId } }, call)
  const published = versions.find(({ status }) => status === 'published')
  if (published === undefined) throw problem('MELMASTOON.THEME.NOT_FOUND')
  return { published, versions }
}

function publish(room: ControlRoom, { tenantId, version }: ThemeVersion, operator: Operator) {
  const input = { params: { tenantId, version }, body: {} }
  return room.modules.theme.handlers.publishVersion(input, tenantCall(operator, tenantId))
}

function createNext(room: ControlRoom, published: ThemeVersion, operator: Operator) {
  const { tenantId, brandName, tagline, layoutPreset, tokens, flow } = published
  const { light, dark } = tokens
  const body = {
    brandName,
    layoutPreset,
    flow,
    tokens: { ...tokens, light: swapColours(light), dark: swapColours(dark) },
    ...(tagline && { tagline }),
  }
  const input = { params: { tenantId }, body }
  return room.modules.theme.handlers.createVersion(input, tenantCall(operator, tenantId))
}

/** Clearly visible, with the same contrast. */
function swapColours(roles: ColorRoles): ColorRoles {
  const { primary, onPrimary, accent, onAccent } = roles
  return { ...roles, primary: accent, onPrimary: onAccent, accent: primary, onAccent: onPrimary }
}
