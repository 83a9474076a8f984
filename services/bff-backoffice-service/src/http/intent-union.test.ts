import { Compile } from 'typebox/compile'
import { describe, expect, it } from 'vitest'
import { INTENTS } from '../intents/intent-table.ts'
import { parseIntent } from '../intents/parse-intent.ts'
import { exampleOf, INTENT_UNION } from './intent-union.ts'

const branches = INTENT_UNION.oneOf.map((schema) => Compile(schema))
/** The schemas of the union that accept the value. */
const accepting = (value: unknown) =>
  branches.flatMap((branch, at) => (branch.Check(value) ? [INTENTS[at]?.name] : []))

describe.each(INTENTS.map((kind) => [kind.name, kind] as const))('%s', (name, kind) => {
  it('is documented as it is validated', () => {
    const example = exampleOf(kind)
    expect(parseIntent(example).errors).toEqual([])
    expect(accepting(example)).toEqual([name])
  })

  it('is documented without what the service rejects', () => {
    for (const wrong of [{ expect: { version: 'x' } }, { args: { unknown: 1 } }, { name: 'a.b' }]) {
      const invalid = { ...exampleOf(kind), ...wrong }
      expect(parseIntent(invalid).errors).not.toEqual([])
      expect(accepting(invalid)).toEqual([])
    }
  })
})
