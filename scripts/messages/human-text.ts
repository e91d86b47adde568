/**
 * Distinguishes text that a learner reads from names, keys and styles. Shared by the conversion, the extraction and the
 * check.
 */

const SPOKEN_ATTRIBUTES = new Set([
  'label',
  'title',
  'placeholder',
  'description',
  'alt',
  'text',
  'empty',
  'reason',
  'confirmLabel',
  'submitLabel',
  'searchLabel',
  'intro',
  'aria-label',
  'loadingLabel',
  'stopLabel',
  'busyLabel',
  'whyNot',
  'sentence',
  'tabs',
  'options',
  'children',
  'value',
  'chosen',
  'action',
]);

/** Attributes whose string the learner reads. `value` and `action` contain such strings only in expressions. */
export const isSpokenAttribute = (name: string): boolean => SPOKEN_ATTRIBUTES.has(name);

/** Calls whose arguments are not shown. */
export const isUntranslatedCall = (callee: string): boolean =>
  /^(?:(?:t|msg|require|import|cx|Error|TypeError|createRoute|createRootRoute|lazyRouteComponent|matchMedia|URL|Set|Map|Symbol)$|(?:import|z|document|window|location|Intl|URL|Symbol)\.)/.test(
    callee,
  ) ||
  /\.(toLocale\w+|querySelector\w*|addEventListener|removeEventListener|setProperty|getContext|startsWith|endsWith|includes|replace|replaceAll|split|test|exec|querySelector|postMessage|registerProcessor|setAttribute|getItem|setItem)$/.test(
    callee,
  );

/** Constants that contain practice content or no human-readable text. */
export const isUntranslatedConstant = (name: string): boolean =>
  /^(PASSAGE|PATHS|LOOKS|COMPOSITIONS|PALETTES|MEETINGS_PALETTE|PROVIDER_NAMES|TRANSLATION_LANGUAGES|SHOULDERS\w*|EXAMPLE_ADDRESSES|LONG_HAIR|SHORT_HAIR|FULL_BEARD|BEARD_SHADE|greeting|queryKey|WIDE_LAYOUT)$/.test(
    name,
  );

/** Names and keys that are the same in every language, and cache keys. */
const UNTRANSLATED = new Set([
  'Parley',
  'Grace',
  'Esc',
  'Enter',
  'Ctrl K',
  'RSS',
  'SHA-256',
  'reopened hints',
  '0 · Parley',
]);

export const isUntranslated = (text: string): boolean => UNTRANSLATED.has(text.trim());

/** A sentence, several words, or one capitalised word. */
export function isHumanText(text: string, isTemplate = false): boolean {
  const trimmed = text.trim();
  // A number with its unit.
  if (/^\d+ \p{L}+$/u.test(trimmed)) return true;
  if (/^<[a-z]/.test(trimmed)) return false;
  if (!/\p{L}{2}/u.test(trimmed) || isUntranslated(trimmed)) return false;
  if (/^[a-z0-9]+([-_.:/][a-z0-9]+)*$/i.test(trimmed) && !/^[A-Z][a-z’]+$/.test(trimmed)) return false;
  if (/^(M|#|\/|\.|--|var\(|https?:)/.test(trimmed) && !/^M[a-z]/.test(trimmed) && !/^\.\s/.test(trimmed)) return false;
  if (/^(calc|translate|scale|url|rotate|color-mix)\(|[{}]|;$|=>|^data:|\bpx\b|^\w+\(/.test(trimmed)) return false;
  if (isTemplate && !/\s|\p{L}{3}/u.test(trimmed.replaceAll('0', ' ').trim())) return false;
  if (isTemplate) return /(^|\s)\p{L}{2,}(\s|[.,:;!?…]|$)/u.test(trimmed.replaceAll('0', ' '));
  return /\s/.test(trimmed) ? /\p{L}{2}/u.test(trimmed) : /^[A-Z][a-z’]+[.!?…]?$/.test(trimmed);
}
