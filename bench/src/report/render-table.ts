/** A Markdown table with aligned columns. */
export function renderTable(
  head: readonly string[],
  lines: readonly (readonly string[])[],
): string {
  const widths = head.map((title, column) =>
    Math.max(3, title.length, ...lines.map((line) => line[column]?.length ?? 0)),
  )
  const isNumber = head.map((_, column) =>
    lines.every((line) => /^[\d.,–-]*( same)?$/.test(line[column] ?? '')),
  )
  const render = (cells: readonly string[]) => {
    const padded = widths.map((width, column) => {
      const cell = cells[column] ?? ''
      return isNumber[column] === true ? cell.padStart(width) : cell.padEnd(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, column) =>
    isNumber[column] === true ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width),
  )
  return [render(head), `| ${rule.join(' | ')} |`, ...lines.map(render)].join('\n')
}

/** `4 min 05 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`
}

export function formatNumber(value: number | null | undefined, digits = 2): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–'
  const places = Math.abs(value) >= 100 ? 0 : digits
  return value.toLocaleString('en-US', {
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  })
}
