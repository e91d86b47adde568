/**
 * Short forms whose meaning depends on their neighbours: “Fig. 3”, “10 Downing St.”, “Gen. Lee”. Elsewhere they are
 * words, names or “saint”.
 */

const BEFORE_NUMBER: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'fig.': 'figure',
    'vol.': 'volume',
    'p.': 'page',
    'pp.': 'pages',
    'ch.': 'chapter',
    'ext.': 'extension',
    'max.': 'maximum',
    'min.': 'minimum',
  }),
);

const STREETS: ReadonlyMap<string, string> = new Map(Object.entries({ st: 'street', rd: 'road', ave: 'avenue' }));

const TITLES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    gen: 'general',
    capt: 'captain',
    lt: 'lieutenant',
    rev: 'reverend',
    gov: 'governor',
    sen: 'senator',
    rep: 'representative',
  }),
);

const isName = (token: string): boolean => /^\p{Lu}\p{Ll}/u.test(token);

/** `written` includes the full stop. */
export function sayShortForm(written: string, { before, after }: { before: string; after: string }): string[] | null {
  const form = written.replace(/^["“('[]+/, '');
  const ofNumber = BEFORE_NUMBER.get(form.toLowerCase());
  if (ofNumber !== undefined && /^\d/.test(after)) return [ofNumber];
  const bare = form.replace(/[.,;:!?)"”\]]+$/u, '');
  const street = isName(bare) ? STREETS.get(bare.toLowerCase()) : undefined;
  const isAddress =
    (isName(before) || /^\d+(?:st|nd|rd|th)$/.test(before)) && (/[,;:!?)]$/.test(form) || !isName(after));
  if (street !== undefined && isAddress) return [street];
  const title = isName(bare) && form.startsWith(`${bare}.`) ? TITLES.get(bare.toLowerCase()) : undefined;
  return title !== undefined && isName(after) ? [title] : null;
}
