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
    // Any code point, and markup characters often. The built-in unit takes seconds to create.
    const anyCharacter = fc.integer({ min: 0, max: 0x10_ff_ff }).map((n) => String.fromCodePoint(n))
    const unit = fc.oneof(fc.constantFrom('<', '>', '"', "'", '`', '&'), anyCharacter)
    fc.assert(
      fc.property(fc.string({ unit }), (value) => {
        expect(render`${value}`).not.toMatch(/[<>"'`]/)
      }),
    )
  })
})
