import { createUpstream, type UpstreamObserver } from '@melmastoon/chassis/upstream'
import { type Static, Type } from 'typebox'
import {
  type CaptchaAttempt,
  type CaptchaVerifier,
  isPlausibleToken,
  REJECTED,
} from './captcha-verifier.ts'

const GOOGLE = 'https://recaptchaenterprise.googleapis.com'
const TIMEOUT_MS = 1_500
/** The default threshold that Google recommends. */
const SCORE_MIN = 0.5

/** Google omits members that are false, empty or zero, so none can be required. */
const Assessment = Type.Object({
  tokenProperties: Type.Optional(
    Type.Object({
      valid: Type.Optional(Type.Boolean()),
      action: Type.Optional(Type.String()),
      hostname: Type.Optional(Type.String()),
      androidPackageName: Type.Optional(Type.String()),
      iosBundleId: Type.Optional(Type.String()),
    }),
  ),
  riskAnalysis: Type.Optional(Type.Object({ score: Type.Optional(Type.Number()) })),
})

type TokenProperties = NonNullable<Static<typeof Assessment>['tokenProperties']>

export interface RecaptchaOptions {
  readonly project: string
  readonly siteKey: string
  readonly apiKey: string
  /** Our pages and apps: a token that was solved for another site is rejected. */
  readonly hostnames: readonly string[]
  readonly baseUrl?: string | undefined
  readonly observer?: UpstreamObserver
  readonly halfOpenAfterMs?: number | undefined
}

export function createRecaptchaEnterprise(options: RecaptchaOptions): CaptchaVerifier {
  const { project, siteKey, apiKey, hostnames, baseUrl = GOOGLE, observer } = options
  const { halfOpenAfterMs } = options
  const google = createUpstream({
    name: 'recaptcha',
    baseUrl,
    timeoutMs: TIMEOUT_MS,
    // A token is accepted once: a retry would be rejected as a duplicate.
    retries: 0,
    // In a header, because URLs are logged.
    authorize: () => ({ 'x-goog-api-key': apiKey }),
    ...(observer !== undefined && { observer }),
    ...(halfOpenAfterMs !== undefined && { halfOpenAfterMs }),
  })

  async function assess(token: string, attempt: CaptchaAttempt) {
    const { action, address, userAgent, deadline } = attempt
    const event = { token, siteKey, expectedAction: action, userIpAddress: address, userAgent }
    const { value } = await google.call({
      operation: 'recaptcha.assessments.create',
      method: 'POST',
      path: `/v1/projects/${encodeURIComponent(project)}/assessments`,
      body: { event },
      schema: Assessment,
      deadline,
    })
    return value
  }

  return {
    provider: 'recaptcha-enterprise',
    siteKey,

    async verify(token, attempt) {
      if (!isPlausibleToken(token)) return REJECTED
      const { tokenProperties: properties = {}, riskAnalysis } = await assess(token, attempt)
      const score = riskAnalysis?.score ?? 0
      const isValid = properties.valid === true && properties.action === attempt.action
      const ok = isValid && hostnames.includes(sourceOf(properties)) && score >= SCORE_MIN
      return { ok, score }
    },

    [Symbol.asyncDispose]: () => google[Symbol.asyncDispose](),
  }
}

function sourceOf({ hostname, androidPackageName, iosBundleId }: TokenProperties): string {
  return hostname || androidPackageName || iosBundleId || ''
}
