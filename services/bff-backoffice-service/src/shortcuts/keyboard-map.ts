import { hash } from 'node:crypto'
import type { Operator } from '../access/operator.ts'
import { isAllowed } from '../access/role-table.ts'
import { SHORTCUTS, SHORTCUTS_VERSION, type Shortcut } from './shortcut-table.ts'

export type Platform = 'win32' | 'darwin' | 'linux'

export interface MappedShortcut {
  readonly action: string
  readonly keys: string
  readonly group: Shortcut['group']
  readonly isChanged: boolean
}

export interface KeyboardMap {
  readonly platform: Platform
  readonly version: number
  readonly shortcuts: MappedShortcut[]
}

const KEYS = /^[!-~]{1,20}( [!-~]{1,20}){0,2}$/

/**
 * The actions that the operator's roles allow, with the keys of the platform or their own (B16).
 * @param overrides the member `shortcuts` of the operator's preferences: action → keys
 */
export function keyboardMap(
  operator: Pick<Operator, 'roles' | 'isLead'>,
  platform: Platform,
  overrides: unknown,
): KeyboardMap {
  const own = ownKeys(overrides)
  const shortcuts = SHORTCUTS.filter(
    ({ operation }) => operation === undefined || isAllowed(operation, operator),
  ).map((shortcut) => {
    const { action, group } = shortcut
    const standard = platform === 'darwin' ? (shortcut.darwin ?? shortcut.keys) : shortcut.keys
    const keys = own.get(action) ?? standard
    return { action, keys, group, isChanged: keys !== standard }
  })
  return { platform, version: SHORTCUTS_VERSION, shortcuts }
}

/** The application stores what it likes; only texts that can be keys count. */
function ownKeys(overrides: unknown): ReadonlyMap<string, string> {
  if (typeof overrides !== 'object' || overrides === null) return new Map()
  const entries = Object.entries(overrides).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string' && KEYS.test(entry[1]),
  )
  return new Map(entries)
}

/** Of the content: the same for everybody with the same keys. */
export function etagOfMap(map: KeyboardMap): string {
  return `"${hash('sha256', JSON.stringify(map), 'base64url').slice(0, 22)}"`
}
