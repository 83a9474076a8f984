import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { googleIdTokenAuth, type ServiceAuth, sharedSecretAuth } from '../auth/index.ts'
import { UPSTREAMS, type UpstreamName } from '../contract.ts'
import type { ConformanceOptions } from './run-conformance.ts'
import type { StaffAccount } from './sign-in-staff.ts'

export const USAGE = `usage: run.ts --base-url <url> (--secret-file <path> | --secret <secret> | --google)
  --base-url <url>          all upstreams, each below <url>/upstreams/<name>
  --upstream <name>=<url>   one upstream at its own URL; repeatable
  --only <name>             only this upstream; repeatable
  --no-scripts              error checks only: changes nothing
  --card-token <token>      a card of the payment provider that can be charged
  --staff-file <path>       JSON: an account of staff (signInUrl, tenantSlug, username, password,
                            authenticatorJwk); without it a demo account of the sandbox
  --secret-file <path>      the shared secret; --secret is visible in the process list
  --google                  an ID token of this machine's service account instead`

const OPTIONS = {
  'base-url': { type: 'string' },
  upstream: { type: 'string', multiple: true, default: [] as string[] },
  only: { type: 'string', multiple: true, default: [] as string[] },
  secret: { type: 'string' },
  'secret-file': { type: 'string' },
  google: { type: 'boolean', default: false },
  'no-scripts': { type: 'boolean', default: false },
  'card-token': { type: 'string' },
  'staff-file': { type: 'string' },
} as const

/** @throws TypeError with a message for the user */
export async function readArguments(argv: readonly string[]): Promise<ConformanceOptions> {
  const { values } = parseArgs({ args: [...argv], options: OPTIONS })
  const addresses = readAddresses(values.upstream)
  const baseUrl = values['base-url']
  const baseUrlOf = (upstream: UpstreamName) => {
    const own = addresses.get(upstream)
    if (own !== undefined) return own
    if (baseUrl === undefined) throw new TypeError(`no URL for ${upstream}: use --base-url`)
    return `${baseUrl.replace(/\/$/, '')}/upstreams/${upstream}`
  }
  const upstreams = values.only.length > 0 ? values.only.map(readName) : UPSTREAMS
  for (const upstream of upstreams) baseUrlOf(upstream)
  const secret = await readSecret(values.secret, values['secret-file'])
  const staffAccount = await readAccount(values['staff-file'])
  return {
    upstreams,
    withScripts: !values['no-scripts'],
    ...(values['card-token'] !== undefined && { cardToken: values['card-token'] }),
    ...(staffAccount !== undefined && { staffAccount }),
    target: { baseUrlOf, authOf: chooseAuth(secret, values.google, baseUrlOf) },
  }
}

function chooseAuth(
  secret: string | undefined,
  google: boolean,
  baseUrlOf: (upstream: UpstreamName) => string,
): (upstream: UpstreamName) => ServiceAuth {
  if (secret !== undefined) {
    const auth = sharedSecretAuth('conformance', secret)
    return () => auth
  }
  if (!google) throw new TypeError('no credentials: use --secret-file, --secret or --google')
  const auths = new Map<string, ServiceAuth>()
  return (upstream) => {
    const audience = new URL(baseUrlOf(upstream)).origin
    const auth = auths.get(audience) ?? googleIdTokenAuth({ audience })
    auths.set(audience, auth)
    return auth
  }
}

async function readSecret(given: string | undefined, path: string | undefined) {
  if (path === undefined) return given
  return (await readFile(path, 'utf8')).trim()
}

async function readAccount(path: string | undefined): Promise<StaffAccount | undefined> {
  if (path === undefined) return undefined
  return JSON.parse(await readFile(path, 'utf8')) as StaffAccount
}

function readAddresses(pairs: readonly string[]): Map<UpstreamName, string> {
  return new Map(
    pairs.map((pair) => {
      const [name = '', ...url] = pair.split('=')
      return [readName(name), url.join('=')]
    }),
  )
}

function readName(name: string): UpstreamName {
  const known = UPSTREAMS.find((upstream) => upstream === name)
  if (known === undefined)
    throw new TypeError(`unknown upstream ${name}; known: ${UPSTREAMS.join(', ')}`)
  return known
}
