/** What Azure is asked to measure. */
import {
  PronunciationAssessmentConfig,
  PronunciationAssessmentGradingSystem,
  PronunciationAssessmentGranularity,
} from 'microsoft-cognitiveservices-speech-sdk';

/** Candidates for each sound that was heard; an assessment keeps as many. */
const SPOKEN_PHONEMES = 5;

export function assessmentConfig(
  referenceText: string,
  { miscue }: { miscue: boolean },
): PronunciationAssessmentConfig {
  const config = new PronunciationAssessmentConfig(
    referenceText,
    PronunciationAssessmentGradingSystem.HundredMark,
    PronunciationAssessmentGranularity.Phoneme,
    miscue,
  );
  config.phonemeAlphabet = 'IPA';
  config.nbestPhonemeCount = SPOKEN_PHONEMES;
  config.enableProsodyAssessment = true;
  return config;
}
