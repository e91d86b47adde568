import { expect, it } from 'vitest';
import { toCsvLine } from './csv.ts';

it('quotes cells and neutralises formulas', () => {
  expect(toCsvLine(['a', 'b', 'c', 'd', 'e', 'f'])).toBe('a,b,c,d,e,f\r\n');
  expect(toCsvLine(['one, "two"', '=1+1', -3, null, new Date(0), { g: [1] }])).toBe(
    '"one, ""two""",\'=1+1,-3,,1970-01-01T00:00:00.000Z,"{""g"":[1]}"\r\n',
  );
});

it('separates cells with a semicolon on demand, and decimals with a comma', () => {
  expect(toCsvLine(['a;b', 'c,d'], ';')).toBe('"a;b";"c,d"\r\n');
  expect(toCsvLine([-1.5, 2, '1.5', [1.5]], ';')).toBe('"-1,5";2;1.5;[1.5]\r\n');
});

it.each(['=1+1', '+1', '-1', '@SUM(1)', '\t=1', '\r=1', '\n=1', '＝1+1', '＋1', '－1', '＠SUM(1)'])(
  'neutralises %j, which a spreadsheet could run',
  (cell) => {
    expect(toCsvLine([cell]).replace(/^"/, '')).toMatch(/^'/);
  },
);
