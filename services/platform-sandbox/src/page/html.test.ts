import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { html } from './html.ts'

const render = (...args: Parameters<typeof html>) => html(...args).toString()

describe('html', () => {
  it('escapes text and attributes', () => {
    const name = `<script>alert('"&')</script>`
    expect(render`<p title="${name}">${name}</p>`).toBe(
      `<p title="&#60;script&#62;alert(&#39;&#34;&#38;&#39;)&#60;/script&#62;">` +
        `&#60;script&#62;alert(&#39;&#34;&#38;&#39;)&#60;/script&#62;</p>`,
    )
  })

  it('preserves markup and lists of markup', () => {
    const items = ['a', '<'].map((text) => html`<li>${text}</li>`)
    expect(render`<ul>${items}</ul>`).toBe('<ul><li>a</li><li>&#60;</li></ul>')
  })

  it('renders nothing for null and false, and zero as 0', () => {
    expect(render`${null}|${undefined}|${false}|${''}|${0}|${[]}`).toBe('||||0|')
  })

  it('never lets a value break out of its attribute', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        expect(render`${value}`).not.toMatch(/[<>"'`]/)
      }),
    )
  })
})
