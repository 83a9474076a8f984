export type DeviceClass = 'phone' | 'tablet' | 'desktop'

/** Of the shorter side, in CSS pixels: where layouts change over. */
const PHONE_MAX = 599
const TABLET_MAX = 1023

/** @param screen `412x915`, as the schema of a session's beginning has it. */
export function classOfDevice(screen: string | undefined): DeviceClass | undefined {
  if (screen === undefined) return undefined
  const shorter = Math.min(...screen.split('x').map(Number))
  if (shorter <= PHONE_MAX) return 'phone'
  return shorter <= TABLET_MAX ? 'tablet' : 'desktop'
}
