// Without this script every button loads the page anew. With it, the page is fetched and exchanged
// in place, so that nothing jumps and the focus stays where it was.

const main = () => document.querySelector('main')

async function exchange(request) {
  main().setAttribute('aria-busy', 'true')
  const response = await fetch(request)
  if (!response.headers.get('content-type')?.startsWith('text/html')) throw new Error('no page')
  const next = new DOMParser().parseFromString(await response.text(), 'text/html')
  const opened = [...document.querySelectorAll('details[open]')].map(placeOf)
  const focused = placeOf(document.activeElement)
  document.querySelector('header').replaceWith(next.querySelector('header'))
  main().replaceWith(next.querySelector('main'))
  for (const details of document.querySelectorAll('details')) {
    details.open = opened.includes(placeOf(details))
  }
  const again = [...document.querySelectorAll('button, summary')]
  const same = again.find((element) => placeOf(element) === focused)
  const target = same ?? main()
  target.focus({ preventScroll: true })
  const { pathname, search } = new URL(response.url)
  history.replaceState(null, '', pathname + search)
}

/** Which form, or else which part of the page, and which of its buttons. */
function placeOf(element) {
  const form = element?.closest('form')?.getAttribute('action')
  return [form ?? element?.closest('[id]')?.id, element?.tagName, element?.value].join(' ')
}

document.addEventListener('submit', (event) => {
  const form = event.target
  if (form.method !== 'post') return
  event.preventDefault()
  const body = new URLSearchParams(new FormData(form, event.submitter))
  exchange(new Request(form.action, { method: 'POST', body })).catch(() => location.reload())
})
