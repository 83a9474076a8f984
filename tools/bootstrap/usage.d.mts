export function isHelpRequested(argv: readonly string[]): boolean
export function usageOf(name: string, root: string): string | undefined
