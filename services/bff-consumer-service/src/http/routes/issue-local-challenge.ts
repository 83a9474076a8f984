import type { App } from '@melmastoon/chassis/http'
import { Type } from 'typebox'
import { LOCAL_TOKEN_SECONDS, type LocalCaptcha } from '../../bots/captcha/local-captcha.ts'

const schema = {
  body: Type.Object(
    { action: Type.String({ pattern: '^[A-Za-z0-9_/]{1,100}$' }) },
    { title: 'ChallengeRequest', description: 'The challenge of a rejected request' },
  ),
  response: {
    201: Type.Object(
      { token: Type.String(), expiresInSeconds: Type.Integer() },
      { title: 'ChallengeToken', description: 'The solution of a challenge' },
    ),
  },
}

/**
 * Registered only where `CAPTCHA` is `local`: it replaces the captcha's script in the browser. Send
 * the `action` of a challenge, and repeat the rejected request with the token in
 * `X-Recaptcha-Token`.
 */
export function issueLocalChallengeRoute(app: App, captcha: LocalCaptcha) {
  const config = { operation: 'consumer.challenge.issue' }
  app.post('/bff/consumer/v1/challenge/local', { config, schema }, async (request, reply) => {
    const token = captcha.issue(request.body.action)
    reply.code(201).header('cache-control', 'no-store')
    return { token, expiresInSeconds: LOCAL_TOKEN_SECONDS }
  })
}
