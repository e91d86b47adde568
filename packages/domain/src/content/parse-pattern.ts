/** Parses a regular expression into the parts that determine how often it may repeat something. */

export type PatternPart =
  | { kind: 'atom'; /** Those of the sample characters that it matches. */ matches: ReadonlySet<string> }
  | { kind: 'sequence' | 'alternatives' | 'lookaround'; parts: readonly PatternPart[] }
  | { kind: 'repeated'; parts: readonly [PatternPart]; min: number; max: number };

const TOKENS =
  /\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|u[\da-f]{4}|x[\da-f]{2}|c[a-z]|k<[^>]*>|\d+|[^])|\[(?:\\[^]|[^\]\\])*\]|\((?:\?(?:<?[=!]|<[^>]+>|[a-z-]*:))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/giu;
const LOOKAROUND = /^\(\?<?[=!]/;
const ASSERTION = /^(?:[$^]|\\b)$/i;
const BACKREFERENCE = /^\\(?:k<|[1-9])/;
const COUNTED = /^\{(\d+)(,?)(\d*)\}/;

/** ASCII, and characters of each other kind: letters, a space, punctuation, a symbol. */
const SAMPLES = [...Array.from({ length: 128 }, (_each, code) => String.fromCodePoint(code)), ...'éßж日ア\u00A0’—€😀'];

/** Returns null for text that is not a regular expression. */
export function parsePattern(source: string): PatternPart | null {
  if (compile(source) === null) return null;
  const tokens = source.match(TOKENS) ?? [];
  const samples = [...new Set([...SAMPLES, ...source])];
  const matchesByToken = new Map<string, ReadonlySet<string>>();
  let at = 0;

  function toAtom(token: string): PatternPart {
    let matches = matchesByToken.get(token);
    if (matches === undefined) {
      const atom = BACKREFERENCE.test(token) ? null : compile(`^(?:${token})$`);
      matches = new Set(samples.filter((sample) => atom === null || atom.test(sample)));
      matchesByToken.set(token, matches);
    }
    return { kind: 'atom', matches };
  }

  function parseOne(): PatternPart {
    const token = tokens[at++] ?? '';
    if (!token.startsWith('(')) return ASSERTION.test(token) ? { kind: 'sequence', parts: [] } : toAtom(token);
    const group = parseAlternatives();
    at += 1;
    return LOOKAROUND.test(token) ? { kind: 'lookaround', parts: [group] } : group;
  }

  function parseSequence(): PatternPart {
    const parts: PatternPart[] = [];
    while (at < tokens.length && tokens[at] !== '|' && tokens[at] !== ')') {
      const part = parseOne();
      const times = readTimes(tokens[at]);
      if (times !== null) at += 1;
      parts.push(times === null ? part : { kind: 'repeated', parts: [part], ...times });
    }
    return { kind: 'sequence', parts };
  }

  function parseAlternatives(): PatternPart {
    const parts = [parseSequence()];
    while (tokens[at] === '|') {
      at += 1;
      parts.push(parseSequence());
    }
    return { kind: 'alternatives', parts };
  }

  return parseAlternatives();
}

function readTimes(token = ''): { min: number; max: number } | null {
  if (/^[*+?]\??$/.test(token))
    return { min: token.startsWith('+') ? 1 : 0, max: token.startsWith('?') ? 1 : Infinity };
  const [found, least, comma, most = ''] = COUNTED.exec(token) ?? [];
  if (found === undefined) return null;
  return { min: Number(least), max: comma === '' ? Number(least) : most === '' ? Infinity : Number(most) };
}

/** Authors' expressions are Unicode ones, but older apps run them without the flag. */
function compile(source: string): RegExp | null {
  for (const flags of ['iu', 'i']) {
    try {
      return new RegExp(source, flags);
    } catch {
      // It may be valid without the flag.
    }
  }
  return null;
}
