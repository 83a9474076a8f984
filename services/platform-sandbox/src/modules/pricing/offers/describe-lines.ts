import type { Charge, PriceLine } from '@melmastoon/upstream-contracts/offers'
import { type Display, microMoney } from '../display-price.ts'
import { type Bill, type BillLine, sumOf } from '../engine/bill.ts'
import { dateOf } from '../engine/day.ts'
import type { Micro } from '../engine/micro.ts'
import { lineLabel } from '../line-labels.ts'

/**
 * The converted amount of a line is the difference between the converted sums with and without it:
 * so the lines add up to the converted total, and none is off by more than one minor unit.
 */
export function describeLines({ lines }: Pick<Bill, 'lines'>, display: Display): PriceLine[] {
  return linesFrom(0n, lines, display)
}

/** Taxes and fees, the last lines of a bill, with the same amounts as in `describeLines`. */
export function describeCharges({ lines }: Pick<Bill, 'lines'>, display: Display): Charge[] {
  const first = lines.findIndex(({ kind }) => kind === 'fee' || kind === 'tax')
  if (first === -1) return []
  return linesFrom(sumOf(lines.slice(0, first)), lines.slice(first), display).flatMap(chargeOf)
}

function chargeOf({ kind, code, label, amount, included }: PriceLine): Charge[] {
  return kind === 'fee' || kind === 'tax' ? [{ kind, code, label, amount, included }] : []
}

function linesFrom(start: Micro, lines: readonly BillLine[], display: Display): PriceLine[] {
  const shown = (amount: Micro) => BigInt(display.show(amount).amountMicro)
  let sum = start
  return lines.map((line) => {
    const before = line.included ? 0n : sum
    const after = before + line.amount
    if (!line.included) sum = after
    return describeLine(line, shown(after) - shown(before), display)
  })
}

function describeLine(line: BillLine, amount: Micro, { currency }: Display): PriceLine {
  const { kind, code, night, quantity, included } = line
  const { default: text, localized } = lineLabel(line)
  return {
    kind,
    code,
    label: { default: text, localized: { ...localized } },
    ...(night !== undefined && { night: dateOf(night) }),
    quantity,
    amount: microMoney(amount, currency),
    included,
  }
}
