/** Lists corrections: what was said, a better way to say it, and why. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import { type Correction, type Feedback, readFeedbackText } from '@parley/domain';
import { Button, MutedText, Row, ScoreNumber, typographic } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import { grammarSentence } from './grammar-sentence.ts';
import { missingCorrectionsReason } from './result-text.ts';
import css from '../practice.module.css';
import resultCss from './result.module.css';

/** The coach's language score, half of the overall score in a written practice; a dash when there was too little to judge. */
export const LanguageQuality = ({ feedback }: { feedback: Feedback | null }): ReactElement => (
  <Row>
    <ScoreNumber score={feedback?.languageQuality ?? null} label={t('Language, as your coach judges it')} />
    <MutedText>{t('How well your grammar and word choice worked, as your coach judges it.')}</MutedText>
  </Row>
);

export function Corrections(props: { feedback: Feedback | null; hasAnswered: boolean; isText: boolean }): ReactElement {
  const missingReason = missingCorrectionsReason(props.feedback, props);
  return (
    <>
      {missingReason !== null && <MutedText>{missingReason}</MutedText>}
      <CorrectionList feedback={props.feedback} />
    </>
  );
}

export function CorrectionList({ feedback }: { feedback: Feedback | null }): ReactElement | null {
  const corrections = feedback?.corrections ?? [];
  if (corrections.length === 0) return null;
  return (
    <ul className={resultCss['corrections']}>
      {corrections.map((correction) => (
        <ListedCorrection key={correction.said} correction={correction} />
      ))}
    </ul>
  );
}

/** Rule-based findings are worded as hints, because the recogniser may have misheard the learner. */
function ListedCorrection({ correction: { said, better, why } }: { correction: Correction }): ReactElement {
  const speaker = useSpeaker();
  const { point, text } = readFeedbackText(why);
  const isHint = point?.code === 'grammar';
  return (
    <li className={css['list']}>
      <p>
        <Trans
          id="You said <0>{said}</0>"
          values={{ said: typographic(said) }}
          components={{ 0: isHint ? <q lang="en" /> : <del lang="en" /> }}
        />
      </p>
      <Row>
        <span>
          {isHint ? (
            <Trans
              id="You could say: <0>{better}</0>"
              values={{ better: typographic(better) }}
              components={{ 0: <ins lang="en" /> }}
            />
          ) : (
            <Trans
              id="Better: <0>{better}</0>"
              values={{ better: typographic(better) }}
              components={{ 0: <ins lang="en" /> }}
            />
          )}
        </span>
        <Button variant="quiet" icon="speaker" onPress={() => void speaker.speak(better)}>
          {t('Hear it')}
        </Button>
      </Row>
      <MutedText>{isHint ? grammarSentence(point.rule) : text}</MutedText>
    </li>
  );
}
