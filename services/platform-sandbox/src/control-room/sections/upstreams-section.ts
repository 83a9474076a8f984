import type { UpstreamName } from '@melmastoon/upstream-contracts'
import { servedModules } from '../../modules.ts'
import { type Html, html } from '../../page/html.ts'
import { type Fault, type FaultyPart, SLOW_MS_MAX } from '../../scenarios/fault.ts'
import {
  breakUpstream,
  DEFAULT_DELAY_MS,
  DEFAULT_FAIL_PERCENT,
  operationsOf,
  restoreUpstream,
} from '../actions/upstream-actions.ts'
import type { ControlRoom } from '../control-room.ts'
import { actionButton, actionForm } from '../form.ts'
import type { View } from '../view.ts'
import { badge, type Section } from './section.ts'

interface UpstreamCard {
  readonly upstream: UpstreamName
  readonly operations: readonly string[]
  readonly broken: readonly FaultyPart[]
}

export const upstreamsSection: Section = {
  id: 'upstreams',
  title: 'Upstreams',
  async show({ room, view }) {
    const cards = readCards(room).map((card) => showCard(card, view))
    return html`
      <p>A fault applies to all callers until the upstream is restored.</p>
      <ul class="cards">${cards}</ul>`
  },
}

function readCards(room: ControlRoom): UpstreamCard[] {
  const broken = room.scenarios.faultyParts()
  return servedModules(room.modules).map(({ contract: { upstream } }) => ({
    upstream,
    operations: operationsOf(room, upstream),
    broken: broken.filter((part) => part.upstream === upstream),
  }))
}

function showCard(card: UpstreamCard, view: View): Html {
  const { upstream, broken } = card
  const state = broken.length === 0 ? badge('good', 'available') : badge('bad', 'faulty')
  const restore = actionButton(
    restoreUpstream,
    { params: { upstream }, view },
    { text: 'Restore', about: upstream },
  )
  return html`
    <li class="card" id="upstream-${upstream}">
      <h3>${upstream} ${state}</h3>
      ${broken.length > 0 && html`<ul class="plain">${broken.map(showFault)}</ul>${restore}`}
      ${breakForm(card, view)}
    </li>`
}

function showFault({ operation, fault }: FaultyPart): Html {
  return html`<li><code>${operation ?? 'all operations'}</code> ${describeFault(fault)}${
    fault.times !== undefined && ` (${fault.times} times)`
  }</li>`
}

function describeFault(fault: Fault): string {
  switch (fault.kind) {
    case 'down':
      return fault.reset ? 'closes the connection' : 'returns 503'
    case 'slow':
      return `takes ${fault.delayMs} ms longer`
    case 'hanging':
      return 'has no effect and never responds'
    case 'unanswered':
      return fault.reset
        ? 'takes effect and closes the connection'
        : 'takes effect and never responds'
    case 'lying':
      return 'returns responses that violate its contract'
    case 'flaky':
      return `fails ${fault.failPercent} of 100 calls`
  }
}

const BREAKS = [
  { kind: 'down', text: 'Down' },
  { kind: 'slow', text: 'Slow' },
  { kind: 'hanging', text: 'Lose requests' },
  { kind: 'unanswered', text: 'Lose responses' },
  { kind: 'lying', text: 'Invalid responses' },
  { kind: 'flaky', text: 'Flaky' },
] as const

function breakForm({ upstream, operations }: UpstreamCard, view: View): Html {
  const buttons = BREAKS.map(
    ({ kind, text }) =>
      html`<button name="kind" value="${kind}" class="quiet">${text}<span class="unseen">: ${upstream}</span></button>`,
  )
  const place = { params: { upstream }, view, className: 'stack' }
  return actionForm(
    breakUpstream,
    place,
    html`
      <div class="buttons" role="group" aria-label="Faults of ${upstream}">${buttons}</div>
      <details><summary>Options</summary>${breakOptions(operations)}</details>`,
  )
}

function breakOptions(operations: readonly string[]): Html {
  const options = operations.map((name) => html`<option>${name}</option>`)
  return html`
    <label>Operation
      <select name="operation"><option value="">all operations</option>${options}</select>
    </label>
    <label>Slow by, in ms
      <input type="number" name="delayMs" min="1" max="${SLOW_MS_MAX}" value="${DEFAULT_DELAY_MS}">
    </label>
    <label>Flaky, of 100 calls
      <input type="number" name="failPercent" min="1" max="100" value="${DEFAULT_FAIL_PERCENT}">
    </label>
    <label>Number of calls
      <input type="number" name="times" min="1" max="1000" placeholder="all">
    </label>
    <label class="check">
      <input type="checkbox" name="reset" value="true"> Close the connection
    </label>`
}
