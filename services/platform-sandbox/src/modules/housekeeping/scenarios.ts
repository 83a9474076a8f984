/** `X-Sandbox-Scenario`: another request changes the task just before this one. */
export const CHANGED = 'changed-by-another'

export const HOUSEKEEPING_SCENARIOS: Readonly<Record<string, string>> = {
  [CHANGED]: 'Another request changes the task just before; its version is one higher',
}
