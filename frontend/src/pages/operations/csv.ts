const FORMULA = /^[=+\-@\t\r]/;

function cell(value: string | number): string {
  // A spreadsheet would run text that begins like a formula.
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value);
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** RFC 4180. */
export function toCsv(rows: (string | number)[][]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
