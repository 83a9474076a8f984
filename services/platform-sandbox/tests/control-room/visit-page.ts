import { send, type TestResponse } from '../start-sandbox.ts'

export interface PageForm {
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
  readonly buttons: readonly PageButton[]
}

export interface PageButton {
  /** The accessible name. */
  readonly label: string
  readonly name: string | undefined
  readonly value: string | undefined
}

export interface Page {
  readonly response: TestResponse
  readonly html: string
  readonly forms: readonly PageForm[]
  section(id: string): string
  /**
   * Presses the button with this label and follows the redirect, like a browser without JavaScript.
   */
  press(label: string, fields?: Readonly<Record<string, string>>): Promise<Page>
}

/** The page over HTTP, with its forms as a browser would send them. */
export async function visitPage(url: string, path = '/'): Promise<Page> {
  const response = await send(url, 'GET', path)
  const html = response.text
  const forms = [...html.matchAll(/<form\b[^>]*method="post"[^>]*>[\s\S]*?<\/form>/g)].map(readForm)
  return {
    response,
    html,
    forms,
    section(id) {
      const [section] = new RegExp(`<section id="${id}"[\\s\\S]*?</section>`).exec(html) ?? []
      if (section === undefined) throw new Error(`the page has no section ${id}`)
      return section
    },
    press: (label, fields = {}) => press(url, { forms, label, fields }),
  }
}

async function press(
  url: string,
  what: { forms: readonly PageForm[]; label: string; fields: Readonly<Record<string, string>> },
): Promise<Page> {
  const { forms, label, fields } = what
  const form = forms.find(({ buttons }) => buttons.some((button) => button.label === label))
  const button = form?.buttons.find((candidate) => candidate.label === label)
  if (form === undefined || button === undefined)
    throw new Error(`no button with the label ${label}`)
  const own = button.name === undefined ? {} : { [button.name]: button.value ?? '' }
  const response = await send(url, 'POST', form.action, {
    form: { ...form.fields, ...fields, ...own },
    headers: { 'sec-fetch-site': 'same-origin', origin: url },
  })
  const location = response.headers.get('location')
  if (response.status !== 303 || location === null) {
    throw new Error(`${label}: ${response.status} ${response.text}`)
  }
  return await visitPage(url, location)
}

function readForm([markup]: RegExpExecArray): PageForm {
  const inputs = [...markup.matchAll(/<input\b[^>]*>/g)].map(([tag]) => tag)
  const sent = inputs.filter((tag) => attribute(tag, 'type') !== 'checkbox')
  return {
    action: attribute(markup, 'action') ?? '',
    fields: Object.fromEntries(
      sent.map((tag) => [attribute(tag, 'name') ?? '', attribute(tag, 'value') ?? '']),
    ),
    buttons: [...markup.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/g)].map(
      ([, attributes = '', content = '']) => ({
        label: decode(content.replace(/<[^>]*>/g, ''))
          .replace(/\s+/g, ' ')
          .trim(),
        name: attribute(attributes, 'name'),
        value: attribute(attributes, 'value'),
      }),
    ),
  }
}

function attribute(markup: string, name: string): string | undefined {
  const value = new RegExp(`\\b${name}="([^"]*)"`).exec(markup)?.[1]
  return value === undefined ? undefined : decode(value)
}

function decode(text: string): string {
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
}
