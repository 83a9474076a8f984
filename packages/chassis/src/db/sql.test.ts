import { describe, expect, it } from 'vitest'
import { identifier, joinSql, rawSql, sql } from './sql.ts'

describe('sql', () => {
  it('numbers its parameters', () => {
    const statement = sql`select ${1}::int + ${2}::int`
    expect(statement.text).toBe('select $1::int + $2::int')
    expect(statement.values).toEqual([1, 2])
  })

  it('renumbers the parameters of fragments inside fragments', () => {
    const inner = sql`b = ${'b'} and c = ${'c'}`
    const middle = sql`(a = ${'a'} and ${inner})`
    const statement = sql`select ${0} where ${middle} or d = ${'d'}`
    expect(statement.text).toBe('select $1 where (a = $2 and b = $3 and c = $4) or d = $5')
    expect(statement.values).toEqual([0, 'a', 'b', 'c', 'd'])
  })

  it('uses one fragment twice', () => {
    const inner = sql`${'x'}`
    expect(sql`${inner}, ${inner}`.text).toBe('$1, $2')
  })

  it('joins fragments, also none', () => {
    const list = joinSql([sql`${1}`, sql`${2}`, rawSql('now()')])
    expect(sql`values (${list})`.text).toBe('values ($1, $2, now())')
    expect(joinSql([]).text).toBe('')
  })

  it('never splices a plain string', () => {
    const statement = sql`select ${`'; drop table notes; --`}`
    expect(statement.text).toBe('select $1')
  })

  it('quotes identifiers', () => {
    expect(identifier('a', 'b"c').text).toBe('"a"."b""c"')
  })

  it('gives one template one text object', () => {
    const make = (value: number) => sql`select ${value}`
    expect(Object.is(make(1).text, make(2).text)).toBe(true)
  })
})
