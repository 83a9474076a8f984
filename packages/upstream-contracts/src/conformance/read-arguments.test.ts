import { describe, expect, it } from 'vitest'
import { UPSTREAMS } from '../contract.ts'
import { readArguments } from './read-arguments.ts'

const SECRET = ['--secret', 'a secret']

describe('the arguments', () => {
  it('give the URL of each upstream', async () => {
    const all = ['--base-url', 'http://127.0.0.1:8090/']
    const theme = ['--upstream', 'theme=https://theme.example/x?a=b']
    const { target, upstreams } = await readArguments([...all, ...theme, ...SECRET])
    expect(upstreams).toEqual(UPSTREAMS)
    expect(target.baseUrlOf('tenant')).toBe('http://127.0.0.1:8090/upstreams/tenant')
    expect(target.baseUrlOf('theme')).toBe('https://theme.example/x?a=b')
    expect(target.authOf('tenant').headers()).toMatchObject({ authorization: 'Bearer a secret' })
  })

  it('may select upstreams and exclude the scripts', async () => {
    const only = ['--upstream', 'theme=https://theme.example', '--only', 'theme', '--no-scripts']
    const options = await readArguments([...only, ...SECRET, '--card-token', 'tok_x'])
    expect(options).toMatchObject({
      upstreams: ['theme'],
      withScripts: false,
      cardToken: 'tok_x',
    })
  })

  it.each([
    ['who calls', ['--base-url', 'http://127.0.0.1:1']],
    ['where', SECRET],
    ['the name of an upstream', ['--base-url', 'http://127.0.0.1:1', '--only', 'all', ...SECRET]],
    ['a known option', ['--what']],
    ['a readable secret file', ['--base-url', 'http://127.0.0.1:1', '--secret-file', '/nowhere']],
  ])('are rejected without %s', async (_what, argv) => {
    await expect(readArguments(argv)).rejects.toBeInstanceOf(Error)
  })
})
