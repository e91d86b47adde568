/** Distinguishes a coach's corrections from those found by rules. */
import type { Correction, Feedback } from './conversation.ts';
import { readFeedbackText } from './feedback-point.ts';

const isOfRule = ({ why }: Correction): boolean => readFeedbackText(why).point?.code === 'grammar';

/** Whether a coach has judged the language of the session. */
export const isLanguageJudged = ({ corrections }: Pick<Feedback, 'corrections'>): boolean =>
  corrections !== undefined && (corrections.length === 0 || !corrections.every(isOfRule));
