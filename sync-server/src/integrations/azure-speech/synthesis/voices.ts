/** Maps a coach's gender and locale to one of Azure's neural voices (Microsoft Learn, "Language and voice support"). */
import type { CoachVoice } from '@parley/domain';

type VoicesByGender = Readonly<Record<CoachVoice['gender'], string>>;

const AMERICAN_VOICES: VoicesByGender = { female: 'en-US-JennyNeural', male: 'en-US-GuyNeural' };

const VOICES_BY_LOCALE: Readonly<Record<string, VoicesByGender>> = {
  'en-US': AMERICAN_VOICES,
  'en-GB': { female: 'en-GB-SoniaNeural', male: 'en-GB-RyanNeural' },
  'en-AU': { female: 'en-AU-NatashaNeural', male: 'en-AU-WilliamNeural' },
  'en-CA': { female: 'en-CA-ClaraNeural', male: 'en-CA-LiamNeural' },
  'en-HK': { female: 'en-HK-YanNeural', male: 'en-HK-SamNeural' },
  'en-IE': { female: 'en-IE-EmilyNeural', male: 'en-IE-ConnorNeural' },
  'en-IN': { female: 'en-IN-NeerjaNeural', male: 'en-IN-PrabhatNeural' },
  'en-KE': { female: 'en-KE-AsiliaNeural', male: 'en-KE-ChilembaNeural' },
  'en-NG': { female: 'en-NG-EzinneNeural', male: 'en-NG-AbeoNeural' },
  'en-NZ': { female: 'en-NZ-MollyNeural', male: 'en-NZ-MitchellNeural' },
  'en-PH': { female: 'en-PH-RosaNeural', male: 'en-PH-JamesNeural' },
  'en-SG': { female: 'en-SG-LunaNeural', male: 'en-SG-WayneNeural' },
  'en-TZ': { female: 'en-TZ-ImaniNeural', male: 'en-TZ-ElimuNeural' },
  'en-ZA': { female: 'en-ZA-LeahNeural', male: 'en-ZA-LukeNeural' },
};

/** A locale without a voice of its own uses the American one. */
export const neuralVoice = ({ gender, locale }: Pick<CoachVoice, 'gender' | 'locale'>): string =>
  (VOICES_BY_LOCALE[locale] ?? AMERICAN_VOICES)[gender];
