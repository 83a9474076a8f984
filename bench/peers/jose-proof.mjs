import { hash } from 'node:crypto'
import { calculateJwkThumbprint, decodeProtectedHeader, importJWK, jwtVerify } from 'jose'
import { serveCommands } from '../src/harness/serve-commands.ts'

const keys = new Map()
const OPTIONS = { typ: 'dpop+jwt', algorithms: ['ES256'], maxTokenAge: '1h' }

function checkClaims({ htm, htu, ath, jti }, { url, token }) {
  const expected = hash('sha256', token, 'base64url')
  if (htm !== 'GET' || htu !== url || ath !== expected || !jti) throw new Error('rejected')
}

const CHECKS = {
  /** The key is prepared: nothing is computed for it. */
  async cached(given) {
    const { payload } = await jwtVerify(given.proof, keys.get(given.jkt), OPTIONS)
    checkClaims(payload, given)
  },
  /** The key is looked up by its thumbprint, as a server must do to compare `cnf.jkt`. */
  async thumbprint(given) {
    const { jwk } = decodeProtectedHeader(given.proof)
    const jkt = await calculateJwkThumbprint(jwk)
    if (jkt !== given.jkt) throw new Error('rejected')
    const { payload } = await jwtVerify(given.proof, keys.get(jkt), OPTIONS)
    checkClaims(payload, given)
  },
}

async function measure({ work, count, given }) {
  const { jwk } = decodeProtectedHeader(given.proof)
  keys.set(given.jkt, await importJWK(jwk, 'ES256'))
  const check = CHECKS[work]
  for (let i = 0; i < count / 4; i += 1) await check(given)
  const before = process.cpuUsage()
  for (let i = 0; i < count; i += 1) await check(given)
  const { user, system } = process.cpuUsage(before)
  return { cpuUs: (user + system) / count }
}

serveCommands({ measure })
