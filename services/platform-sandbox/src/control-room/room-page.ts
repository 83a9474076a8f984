import { isProblem, PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import { type Html, html } from '../page/html.ts'
import { ACTIONS } from './actions/actions.ts'
import { restoreAll } from './actions/upstream-actions.ts'
import { actionButton } from './form.ts'
import { alertsSection } from './sections/alerts-section.ts'
import { eventsSection } from './sections/events-section.ts'
import { frontDeskSection } from './sections/front-desk-section.ts'
import { hotelSection } from './sections/hotel-section.ts'
import { locksSection } from './sections/locks-section.ts'
import { paymentsSection } from './sections/payments-section.ts'
import { roomsSection } from './sections/rooms-section.ts'
import { badge, type Section, type SectionContext } from './sections/section.ts'
import { staffSection } from './sections/staff-section.ts'
import { suggestionsSection } from './sections/suggestions-section.ts'
import { syncSection } from './sections/sync-section.ts'
import { tenantsSection } from './sections/tenants-section.ts'
import { themeSection } from './sections/theme-section.ts'
import { triggersSection } from './sections/triggers-section.ts'
import { upstreamsSection } from './sections/upstreams-section.ts'
import { workOrdersSection } from './sections/work-orders-section.ts'
import { worldSection } from './sections/world-section.ts'

const SECTIONS: readonly Section[] = [
  upstreamsSection,
  tenantsSection,
  themeSection,
  hotelSection,
  frontDeskSection,
  roomsSection,
  workOrdersSection,
  paymentsSection,
  alertsSection,
  suggestionsSection,
  syncSection,
  staffSection,
  locksSection,
  eventsSection,
  worldSection,
  triggersSection,
]

/** The result of the last action. */
export interface Outcome {
  readonly done: string | undefined
  readonly failed: string | undefined
}

/** The whole page. A section that fails shows an error; the others are unaffected. */
export async function renderRoom(context: SectionContext, outcome: Outcome): Promise<Html> {
  const sections = await Promise.all(SECTIONS.map((section) => showSection(section, context)))
  return html`<html lang="en" dir="ltr">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Control room · Melmastoon platform sandbox</title>
  <link rel="stylesheet" href="/admin/assets/control-room.css">
  <script type="module" src="/admin/assets/control-room.js"></script>
</head>
<body>
  <a class="skip" href="#main">Skip to the upstreams</a>
  ${pageHeader(context)}
  <main id="main" tabindex="-1">
    ${notice(outcome)}
    ${sections}
  </main>
  <footer>
    <p>This page requires no login: it listens on ${context.room.config.host} and is intended for this machine
      only (<code>HOST</code>). It does not run in production.</p>
    <p><a href="/docs">The upstreams’ API</a></p>
  </footer>
</body>
</html>`
}

function pageHeader({ room, view }: SectionContext): Html {
  const count = new Set(room.scenarios.faultyParts().map(({ upstream }) => upstream)).size
  const state = count === 0 ? badge('good', 'all available') : badge('bad', `${count} faulty`)
  const restore = actionButton(restoreAll, { params: {}, view }, { text: 'Restore all' })
  const links = SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`
    <header>
      <div class="title"><h1>Control room</h1> ${state} ${count > 0 && restore}</div>
      <nav aria-label="Sections"><ul>${links}</ul></nav>
    </header>`
}

/** Shows only known texts: values of the URL are looked up, never printed. */
function notice({ done, failed }: Outcome): Html | null {
  const action = ACTIONS.find(({ name }) => name === done)
  if (action !== undefined) return html`<p class="notice good" role="status">${action.done}</p>`
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const code = codes.find((known) => known === failed)
  return code === undefined ? null : errorNotice(code)
}

function errorNotice(code: ProblemCode): Html {
  return html`<p class="notice bad" role="alert">${PROBLEMS[code].title} <code>${code}</code></p>`
}

async function showSection(section: Section, context: SectionContext): Promise<Html> {
  const { id, title } = section
  const content = await section.show(context).catch((error: unknown) => showFailure(error, context))
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>${content}</section>`
}

function showFailure(error: unknown, { room }: SectionContext): Html {
  if (isProblem(error) && error.status < 500) return errorNotice(error.code)
  room.errors.report('control-room', error)
  return html`<p class="notice bad" role="alert">This section is temporarily unavailable.</p>`
}
