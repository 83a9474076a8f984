import type { Static, TObject } from 'typebox'
import { type Html, type HtmlValue, html } from '../page/html.ts'
import { type Action, fillPath } from './actions/action.ts'
import { type View, viewUrl } from './view.ts'

type Params<P extends TObject> = Static<P> & Record<string, string>

/** A form that runs an action and returns to the same view; it works without JavaScript. */
export function actionForm<P extends TObject, B extends TObject>(
  action: Action<P, B>,
  place: { readonly params: Params<P>; readonly view: View; readonly className?: string },
  content: HtmlValue,
): Html {
  const url = viewUrl(`/admin${fillPath(action.path, place.params)}`, place.view)
  const className = place.className ?? 'inline'
  return html`<form class="${className}" method="post" action="${url}">${content}</form>`
}

/** A form with a single button. `about` is extra text for screen readers. */
export function actionButton<P extends TObject, B extends TObject>(
  action: Action<P, B>,
  place: { readonly params: Params<P>; readonly view: View },
  label: { readonly text: string; readonly about?: string; readonly fields?: Static<B> },
): Html {
  const fields = Object.entries(label.fields ?? {}).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${String(value)}">`,
  )
  const hidden = label.about && html`<span class="unseen"> ${label.about}</span>`
  return actionForm(action, place, html`${fields}<button>${label.text}${hidden}</button>`)
}
