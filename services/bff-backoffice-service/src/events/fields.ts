import { type IdPrefix, idPattern } from '@melmastoon/domain'
import { Type } from 'typebox'

/** Of every event of this service. */
export const backoffice = { version: 1, producer: 'bff-backoffice-service' } as const

export const id = (prefix: IdPrefix) => Type.String({ pattern: idPattern(prefix) })

/** A word of a fixed vocabulary: `device_offline`. */
export const code = () => Type.String({ pattern: '^[a-z][a-z0-9_]{0,59}$' })
