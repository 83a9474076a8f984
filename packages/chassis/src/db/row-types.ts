import { types } from 'pg'

export type ColumnParser = (text: string) => unknown

const INT8 = 20
const DATE = 1082
const INT8_ARRAY = 1016
const DATE_ARRAY = 1182

/** Money and counters are safe integers (D7); a larger one is an error, never a rounded number. */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError('bigint beyond the safe integers')
  return value
}

const ours = new Map<number, ColumnParser>([
  [INT8, parseInt8],
  // A calendar day has no time zone; pg would return midnight in the time zone of the machine.
  [DATE, (text) => text],
  [INT8_ARRAY, (text) => text.slice(1, -1).split(',').filter(Boolean).map(parseArrayInt8)],
  [DATE_ARRAY, (text) => text.slice(1, -1).split(',').filter(Boolean)],
])

function parseArrayInt8(text: string): number | null {
  return text === 'NULL' ? null : parseInt8(text)
}

export function columnParser(typeId: number): ColumnParser {
  return ours.get(typeId) ?? (types.getTypeParser(typeId, 'text') as ColumnParser)
}
