/** Values of `X-Sandbox-Scenario` for `recordDecision`: what happened just before the decision. */
export const AI_SCENARIOS: ReadonlyMap<
  string,
  { readonly to: 'expired' | 'withdrawn'; readonly does: string }
> = new Map([
  ['suggestion-expired', { to: 'expired', does: 'The suggestion expires before the decision.' }],
  [
    'suggestion-withdrawn',
    { to: 'withdrawn', does: 'The suggestion is withdrawn before the decision.' },
  ],
])
