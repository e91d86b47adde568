/** Which of the system's voices speaks for a coach. */
import type { CoachVoice } from '@parley/domain';

export interface SystemVoice {
  name: string;
  lang: string;
  localService: boolean;
}

const FEMALE_NAMES =
  /female|samantha|victoria|karen|moira|tessa|zira|hazel|susan|heera|aria|jenny|libby|natasha|neerja|serena|fiona|kate/i;
const MALE_NAMES = /(^|[^e])male|daniel|alex|fred|david|mark|george|ravi|guy|ryan|william|prabhat|oliver|james|arthur/i;

/** The coach’s accent first, then the gender; only voices on this computer. Null: none speaks English. */
export function chooseVoice<Voice extends SystemVoice>(voices: readonly Voice[], wish: CoachVoice): Voice | null {
  const rank = (voice: Voice): number => {
    const wished = wish.gender === 'female' ? FEMALE_NAMES : MALE_NAMES;
    const other = wish.gender === 'female' ? MALE_NAMES : FEMALE_NAMES;
    return (
      (voice.lang.replace('_', '-').toLowerCase() === wish.locale.toLowerCase() ? 4 : 0) +
      (wished.test(voice.name) ? 2 : other.test(voice.name) ? -2 : 0)
    );
  };
  const english = voices.filter((voice) => /^en([-_]|$)/i.test(voice.lang) && voice.localService);
  return english.toSorted((a, b) => rank(b) - rank(a))[0] ?? null;
}
