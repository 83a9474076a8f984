export function lockHash(lockText: string): string

export function installState(texts: {
  lockText: string
  stampText: string | null
  installedText: string | null
}): 'current' | 'adoptable' | 'needed'
