import type { ServiceContracts } from '@melmastoon/chassis/service'
import { beforeAll, describe, expect, it } from 'vitest'

type Json = Readonly<Record<string, unknown>>

interface Parameter extends Json {
  readonly name: string
}

interface Operation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

/** The tests of a document in words: every schema, property and parameter is described. */
export function testDescriptions(contracts: Pick<ServiceContracts, 'openApi'>): void {
  describe('C23 the descriptions of the OpenAPI document', () => {
    let document: Document
    beforeAll(async () => {
      document = JSON.parse(await contracts.openApi())
    })

    it('leave no schema, property or parameter out', () => {
      expect(undescribed(document)).toEqual([])
    })

    it('belong to schemas with names: no object is inline', () => {
      expect(inlineObjects(document)).toEqual([])
    })
  })
}

/** Exported for a test that shows what they find. */
export function undescribed({ paths, components }: Document): string[] {
  const { schemas } = components
  const hasText = (schema: Json): boolean => {
    const name = (schema['$ref'] as string | undefined)?.split('/').at(-1)
    return schema['description'] !== undefined || schemas[name ?? '']?.['description'] !== undefined
  }
  const operations = Object.values(paths).flatMap((item) => Object.values(item))
  return [
    ...Object.entries(schemas).flatMap(([name, schema]) => [
      ...(hasText(schema) ? [] : [name]),
      ...Object.entries(propertiesOf(schema)).flatMap(([property, part]) =>
        hasText(part) ? [] : [`${name}.${property}`],
      ),
    ]),
    ...operations.flatMap(({ operationId, parameters = [] }) =>
      parameters.flatMap((each) =>
        hasText(each) || hasText((each['schema'] ?? {}) as Json)
          ? []
          : [`${operationId} ${each.name}`],
      ),
    ),
  ]
}

export function inlineObjects({ components }: Document): string[] {
  return Object.entries(components.schemas).flatMap(([name, schema]) =>
    Object.entries(propertiesOf(schema)).flatMap(([property, part]) =>
      hasInlineObject(part) ? [`${name}.${property}`] : [],
    ),
  )
}

const propertiesOf = (schema: Json) => (schema['properties'] ?? {}) as Record<string, Json>

function hasInlineObject(schema: unknown): boolean {
  if (typeof schema !== 'object' || schema === null) return false
  const { properties, items, anyOf, oneOf } = schema as Json
  if (properties !== undefined) return true
  const parts = [items, ...((anyOf ?? oneOf ?? []) as unknown[])]
  return parts.some(hasInlineObject)
}
