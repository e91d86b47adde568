/** Leaves out the beginning of a coach's line that acknowledges an answer, where something else has acknowledged it. */

const WORDS = 'okay|all right|i see|right';
const ACKNOWLEDGED = new RegExp(
  `^(?:(?:${WORDS}|all right, then|fine|good|great|of course|sounds good)(?:, i(?:'ve| have) written that down)?[.!] |(?:${WORDS}), (?!then\\.))(?=.)`,
  'i',
);

/** "All right, I'm listening" becomes "I'm listening". */
export function withoutAcknowledgement(line: string): string {
  const rest = line.replace(ACKNOWLEDGED, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
