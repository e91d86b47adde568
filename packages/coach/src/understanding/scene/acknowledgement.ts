/** Omits the beginning of a coach's line that acknowledges an answer, if something else has already acknowledged it. */

const WORDS = 'okay|all right|i see|right';
const ACKNOWLEDGED = new RegExp(
  `^(?:(?:${WORDS}|all right, then|fine|good|great|of course|sounds good)(?:, i(?:'ve| have) written that down)?[.!] |(?:${WORDS}), (?!then\\.))(?=.)`,
  'i',
);

const GREETING =
  /^(?:(?:oh, )?(?:hello|hi|good (?:morning|afternoon|evening|day))(?: there| again)?(?:,? and welcome)?|(?:that's )?no problem)[.!] (?=.)/i;

/** Removes the greeting, or the "No problem", before a question that is asked again. */
export const withoutGreeting = (line: string): string => line.replace(GREETING, '');

/** "All right, I'm listening" becomes "I'm listening". */
export function withoutAcknowledgement(line: string): string {
  const rest = line.replace(ACKNOWLEDGED, '');
  return rest.charAt(0).toUpperCase() + rest.slice(1);
}
