/** Whether a listing belongs into the answer. Tests are run cheapest first. */
export type RowTest = (row: number) => boolean
