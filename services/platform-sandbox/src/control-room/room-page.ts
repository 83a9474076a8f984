import { isProblem, PROBLEMS, type ProblemCode } from '@melmastoon/domain'
import { type Html, html } from '../page/html.ts'
import { ACTIONS } from './actions/actions.ts'
import { mendAll } from './actions/upstream-actions.ts'
import { actionButton } from './form.ts'
import { eventsSection } from './sections/events-section.ts'
import { hotelSection } from './sections/hotel-section.ts'
import { paymentsSection } from './sections/payments-section.ts'
import { badge, type Glance, type Section } from './sections/section.ts'
import { tenantsSection } from './sections/tenants-section.ts'
import { themeSection } from './sections/theme-section.ts'
import { triggersSection } from './sections/triggers-section.ts'
import { upstreamsSection } from './sections/upstreams-section.ts'
import { worldSection } from './sections/world-section.ts'

const SECTIONS: readonly Section[] = [
  upstreamsSection,
  tenantsSection,
  themeSection,
  hotelSection,
  paymentsSection,
  eventsSection,
  worldSection,
  triggersSection,
]

/** How the last button ended. */
export interface Outcome {
  readonly done: string | undefined
  readonly failed: string | undefined
}

/** The whole page. A section that cannot be read says so and hides none of the others. */
export async function renderRoom(glance: Glance, outcome: Outcome): Promise<Html> {
  const sections = await Promise.all(SECTIONS.map((section) => showSection(section, glance)))
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
  ${pageHeader(glance)}
  <main id="main" tabindex="-1">
    ${notice(outcome)}
    ${sections}
  </main>
  <footer>
    <p>This page has no sign-in: it listens to ${glance.room.config.host} and is for this machine
      only (<code>HOST</code>). It refuses to run in production.</p>
    <p><a href="/docs">The upstreams’ API</a></p>
  </footer>
</body>
</html>`
}

function pageHeader({ room, view }: Glance): Html {
  const count = new Set(room.scenarios.brokenParts().map(({ upstream }) => upstream)).size
  const state = count === 0 ? badge('good', 'all well') : badge('bad', `${count} broken`)
  const mend = actionButton(mendAll, { params: {}, view }, { text: 'Mend all' })
  const links = SECTIONS.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return html`
    <header>
      <div class="title"><h1>Control room</h1> ${state} ${count > 0 && mend}</div>
      <nav aria-label="Sections"><ul>${links}</ul></nav>
    </header>`
}

/** Only texts of our own: what stands in the address is looked up, never shown. */
function notice({ done, failed }: Outcome): Html | null {
  const action = ACTIONS.find(({ name }) => name === done)
  if (action !== undefined) return html`<p class="notice good" role="status">${action.done}</p>`
  const codes = Object.keys(PROBLEMS) as ProblemCode[]
  const code = codes.find((known) => known === failed)
  return code === undefined ? null : refusal(code)
}

function refusal(code: ProblemCode): Html {
  return html`<p class="notice bad" role="alert">${PROBLEMS[code].title} <code>${code}</code></p>`
}

async function showSection(section: Section, glance: Glance): Promise<Html> {
  const { id, title } = section
  const content = await section.show(glance).catch((error: unknown) => showFailure(error, glance))
  return html`<section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${title}</h2>${content}</section>`
}

function showFailure(error: unknown, { room }: Glance): Html {
  if (isProblem(error) && error.status < 500) return refusal(error.code)
  room.errors.report('control-room', error)
  return html`<p class="notice bad" role="alert">This cannot be read just now.</p>`
}
