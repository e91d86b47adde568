/** Lists a model coach's corrections: what was said, a better way to say it, and why. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { Feedback } from '@parley/domain';
import { Button, MutedText, Row, ScoreNumber } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import { missingCorrectionsReason } from './result-text.ts';
import css from '../practice.module.css';

/** The coach's language score, half of the overall score in a written practice; a dash when there was too little to judge. */
export const LanguageQuality = ({ feedback }: { feedback: Feedback | null }): ReactElement => (
  <Row>
    <ScoreNumber score={feedback?.languageQuality ?? null} label={t('Language, as your coach judges it')} />
    <MutedText>{t('How well your grammar and word choice worked, as your coach judges it.')}</MutedText>
  </Row>
);

export function Corrections(props: { feedback: Feedback | null; hasAnswered: boolean; isText: boolean }): ReactElement {
  const speaker = useSpeaker();
  const corrections = props.feedback?.corrections ?? [];
  const missingReason = missingCorrectionsReason(props.feedback, props);
  if (missingReason !== null) return <MutedText>{missingReason}</MutedText>;
  return (
    <ul className={css['corrections']}>
      {corrections.map(({ said, better, why }) => (
        <li key={said} className={css['list']}>
          <p>
            <Trans id="You said <0>{said}</0>" values={{ said }} components={{ 0: <del lang="en" /> }} />
          </p>
          <Row>
            <span>
              <Trans id="Better: <0>{better}</0>" values={{ better }} components={{ 0: <ins lang="en" /> }} />
            </span>
            <Button variant="quiet" icon="speaker" onPress={() => void speaker.speak(better)}>
              {t('Hear it')}
            </Button>
          </Row>
          <MutedText>{why}</MutedText>
        </li>
      ))}
    </ul>
  );
}
