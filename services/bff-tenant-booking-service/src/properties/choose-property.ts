import type { UpstreamCall } from '@melmastoon/bff/upstreams'
import { fieldError, type PropertyId, problem, type TenantId } from '@melmastoon/domain'
import { findOnlyProperty, type PropertyDeps } from './read-property.ts'

export interface PropertyChoice {
  readonly tenantId: TenantId
  readonly propertyId: PropertyId | undefined
  /** Where the request names it. */
  readonly pointer?: string
}

/** The requested hotel, or the only one of the tenant. @throws Problem VALIDATION_FAILED */
export async function chooseProperty(
  deps: PropertyDeps,
  { tenantId, propertyId, pointer = '/query/propertyId' }: PropertyChoice,
  call: UpstreamCall,
): Promise<PropertyId> {
  if (propertyId !== undefined) return propertyId
  const only = await findOnlyProperty(deps, tenantId, call)
  if (only !== null) return only
  const errors = [fieldError(pointer, 'required', 'is required: the site has several hotels')]
  throw problem('MELMASTOON.GENERAL.VALIDATION_FAILED', { errors })
}
