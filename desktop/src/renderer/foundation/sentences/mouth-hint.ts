/** Describes the position of the mouth for a sound, without terms of phonetics. */
import { t } from '@parley/i18n';

const HINTS: Readonly<Record<string, string>> = {
  θ: t('Put the tip of your tongue between your teeth and let the air out.'),
  ð: t('Put the tip of your tongue between your teeth, let the air out, and use your voice.'),
  ɹ: t('Pull your tongue back so that its tip touches nothing, and round your lips a little.'),
  l: t('Press the tip of your tongue behind your top teeth and let the air pass on both sides.'),
  v: t('Rest your top teeth on your lower lip and use your voice.'),
  w: t('Round your lips as if you were whistling, then open them. Your teeth don’t touch anything.'),
  ʃ: t('Push your lips forward and let the air out, as in “shh”.'),
  tʃ: t('Begin with a “t”, then let the air out as in “shh”.'),
  dʒ: t('Begin with a “d”, then let the air out as in “shh”, with your voice.'),
  ŋ: t('Raise the back of your tongue and let the air out through your nose. Don’t add a “g”.'),
  z: t('Say an “s” and use your voice: you can feel it in your throat.'),
  h: t('Breathe out softly, as if onto a cold window.'),
  ɪ: t('Keep it short and relaxed. Don’t spread your lips.'),
  æ: t('Open your mouth wide, with your tongue low and at the front.'),
};

/** Null for a sound that most learners find easy. */
export const mouthHint = (phoneme: string): string | null => HINTS[phoneme] ?? null;
