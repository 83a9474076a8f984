import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { spawnProcess } from '@melmastoon/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { sharedSecretAuth } from '../src/auth/index.ts'
import { CONTRACTS } from '../src/conformance/contracts.ts'
import { type ConformanceOptions, runConformance } from '../src/conformance/index.ts'

const RUN = new URL('../src/conformance/run.ts', import.meta.url)
const servers: { close(): void }[] = []

afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** Sends the same response to every request. */
async function startFixedServer(
  status: number,
  contentType: string,
  body: unknown,
): Promise<string> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': contentType })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const run = (url: string, options: Partial<ConformanceOptions> = {}) => {
  const auth = sharedSecretAuth('conformance', 'a secret')
  return runConformance({ target: { baseUrlOf: () => url, authOf: () => auth }, ...options })
}

describe('conformance', () => {
  it('fails every check against a server that always sends an empty object', async () => {
    const results = await run(await startFixedServer(200, 'application/json', {}))
    expect(results.filter(({ passed }) => passed)).toEqual([])
    const operations = Object.values(CONTRACTS).flatMap(({ upstream, operations: all }) =>
      Object.keys(all).map((name) => `${upstream}.${name}`),
    )
    const named = new Set(results.map(({ name }) => name.split(' ')[0]))
    expect(named).toEqual(new Set(operations))
  })

  it('does not accept an error with another code, status or content type', async () => {
    const problem = {
      type: 'https://errors.melmastoon.ghasi.io/general/unauthenticated',
      title: 'Authentication required',
      status: 401,
      code: 'MELMASTOON.GENERAL.UNAUTHENTICATED',
      requestId: 'req',
      traceId: '0',
      retriable: false,
    }
    const type = 'application/problem+json'
    const passedChecks = async (status: number, contentType: string, body: object) => {
      const url = await startFixedServer(status, contentType, body)
      const results = await run(url, { withScripts: false, upstreams: ['tenant'] })
      return results.filter(({ passed }) => passed).map(({ name }) => name)
    }
    const right = await passedChecks(401, type, problem)
    expect(right).toEqual(
      Object.keys(CONTRACTS.tenant.operations).map(
        (name) => `tenant.${name} rejects a caller without credentials`,
      ),
    )
    expect(await passedChecks(403, type, problem)).toEqual([])
    expect(await passedChecks(401, 'application/json', problem)).toEqual([])
    expect(await passedChecks(401, type, { ...problem, status: 403 })).toEqual([])
    expect(await passedChecks(401, type, { ...problem, requestId: undefined })).toEqual([])
  })

  it('is a command that lists the failed checks and sets the exit code', async () => {
    const url = await startFixedServer(200, 'application/json', {})
    const args = ['--base-url', url, '--secret', 'a secret', '--only', 'theme', '--no-scripts']
    await using child = spawnProcess(RUN, { args })
    expect(await child.exited).toMatchObject({ code: 1 })
    expect(child.lines[0]).toMatch(/^FAIL {2}theme\.peekBrands rejects a caller without/)
    expect(child.lines.join('\n')).not.toContain('a secret')
  })
})
