import { fieldError, idPattern, throwIfInvalid } from '@melmastoon/domain'
import { named } from '@melmastoon/upstream-contracts'
import { Type } from 'typebox'

export const PreferencesPayload = Type.Record(Type.String({ maxLength: 64 }), Type.Unknown(), {
  maxProperties: 100,
  description: 'Settings of the application, stored as they are; at most 32 KiB',
})

export const PreferencesVM = named(
  'Preferences',
  Type.Object({
    propertyId: Type.String({ pattern: idPattern('ppt') }),
    payload: PreferencesPayload,
    version: Type.Integer({ minimum: 0, description: '0 before the first change' }),
    source: Type.Enum(['current', 'mirror'], {
      description: 'mirror: as last changed here, because the tenant service does not respond',
    }),
  }),
)

export const etagOf = ({ version }: { readonly version: number }): string => `"${version}"`

const ETAG = /^"(\d{1,9})"$/

/** From the body, or else from `If-Match`. @throws Problem VALIDATION_FAILED */
export function expectedVersionOf(inBody: number | undefined, ifMatch: string | undefined): number {
  const [, digits] = ETAG.exec(ifMatch ?? '') ?? []
  if (ifMatch !== undefined && digits === undefined) {
    throwIfInvalid([fieldError('/headers/if-match', 'pattern', 'must be the ETag that was read')])
  }
  const inHeader = digits === undefined ? undefined : Number(digits)
  const version = inBody ?? inHeader
  if (version === undefined || (inHeader ?? version) !== version) {
    const detail = version === undefined ? 'is required, here or as If-Match' : 'is not If-Match'
    throwIfInvalid([fieldError('/expectedVersion', 'required', detail)])
  }
  return version ?? 0
}
