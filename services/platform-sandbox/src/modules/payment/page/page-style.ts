/** Logical properties only, for both text directions; colours have a contrast of at least 7 : 1. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5 }
body { margin: 0; padding: 1rem; background: #fff; color: #1b1b1f }
main { max-inline-size: 32rem; margin-inline: auto }
.note { padding: .75rem 1rem; border-inline-start: .4rem solid #8a5a00; background: #fff4dc; color: #3d2800 }
dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem }
dd { margin: 0; font-weight: 600 }
fieldset { margin-block: 1rem; border: 1px solid #5c5c66; border-radius: .5rem }
label { display: block; padding-block: .4rem }
button, .button { display: block; box-sizing: border-box; inline-size: 100%; min-block-size: 3rem;
  margin-block: .5rem; padding: .6rem 1rem; border: 1px solid #1f3f7a; border-radius: .5rem;
  background: #fff; color: #1f3f7a; font: inherit; text-align: center; text-decoration: none }
button.first { background: #1f3f7a; color: #fff; font-weight: 600 }
:focus-visible { outline: 3px solid #b3261e; outline-offset: 2px }
@media (prefers-color-scheme: dark) {
  body { background: #16161a; color: #f0f0f4 }
  .note { background: #3d2e0d; color: #ffe9b8 }
  button, .button { background: #16161a; color: #b9cdfa; border-color: #b9cdfa }
  button.first { background: #b9cdfa; color: #10203f }
}
`.trimStart()
