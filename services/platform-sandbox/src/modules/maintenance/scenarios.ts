/** `X-Sandbox-Scenario`: another request changes the order just before this one. */
export const CHANGED = 'changed-by-another'
/** `X-Sandbox-Scenario`: someone else creates the same order just before this request. */
export const DUPLICATED = 'reported-by-another'

export const MAINTENANCE_SCENARIOS: Readonly<Record<string, string>> = {
  [CHANGED]: 'Another request changes the work order just before; its version is one higher',
  [DUPLICATED]: 'Someone else creates an order for the same room and category just before',
}
