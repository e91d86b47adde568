/** Chooses the system voice that speaks for a coach. */
import type { CoachVoice } from '@parley/domain';

export interface SystemVoice {
  name: string;
  lang: string;
  localService: boolean;
}

const FEMALE_NAMES =
  /female|samantha|victoria|karen|moira|tessa|zira|hazel|susan|heera|aria|jenny|libby|natasha|neerja|serena|fiona|kate/i;
const MALE_NAMES = /(^|[^e])male|daniel|alex|fred|david|mark|george|ravi|guy|ryan|william|prabhat|oliver|james|arthur/i;

/**
 * Voices that are worse than the bundled one, and novelty voices. Those of a Mac at the end are Eloquence voices, which
 * their names do not reveal.
 */
const UNNATURAL =
  /espeak|festival|flite|pico|mbrola|eloquence|\b(?:albert|bad news|bahh|bells|boing|bubbles|cellos|deranged|good news|hysterical|jester|junior|kathy|organ|pipe organ|ralph|superstar|trinoids|whisper|wobble|zarvox)\b|^(?:eddy|flo|grandma|grandpa|reed|rocko|sandy|shelley) \(/i;
const MOST_NATURAL = /natural|neural|premium|enhanced|siri/i;

/**
 * Ranks the accent above the gender, and both above how natural a voice is. Uses only local voices. Returns null when no voice that is better
 * than the bundled one speaks English.
 */
export function chooseVoice<Voice extends SystemVoice>(voices: readonly Voice[], preferred: CoachVoice): Voice | null {
  const rank = (voice: Voice): number => {
    const preferredNames = preferred.gender === 'female' ? FEMALE_NAMES : MALE_NAMES;
    const otherNames = preferred.gender === 'female' ? MALE_NAMES : FEMALE_NAMES;
    return (
      (voice.lang.replace('_', '-').toLowerCase() === preferred.locale.toLowerCase() ? 4 : 0) +
      (preferredNames.test(voice.name) ? 2 : otherNames.test(voice.name) ? -2 : 0) +
      (MOST_NATURAL.test(voice.name) ? 1 : 0)
    );
  };
  const english = voices.filter(
    ({ name, lang, localService }) => /^en([-_]|$)/i.test(lang) && localService && !UNNATURAL.test(name),
  );
  return english.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}
