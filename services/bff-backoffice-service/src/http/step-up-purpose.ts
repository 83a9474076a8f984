import { Type } from 'typebox'

const code = (description: string) => Type.String({ pattern: '^[a-z0-9_.-]{1,64}$', description })

/** What an operator confirms with a second factor. */
export const stepUpPurpose = {
  action: code('For example `lock.revoke`'),
  resourceKind: code('For example `reservation`'),
  resourceId: Type.String({ minLength: 1, maxLength: 64 }),
}
