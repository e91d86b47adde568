/** What was said, how it is better said, and why: of a coach who judged the language. */
import type { Feedback } from '@parley/domain';
import { Button, Quiet, Row, ScoreRing } from '@parley/ui';
import type { ReactElement } from 'react';
import { useSpeaker } from '../audio/index.ts';
import { whyNoCorrections } from './result-words.ts';
import css from './practice.module.css';

/** The coach's own judgement, which counts for half of a practice in writing; a dash where they had too little to go by. */
export const LanguageQuality = ({ feedback }: { feedback: Feedback | null }): ReactElement => (
  <Row>
    <ScoreRing score={feedback?.languageQuality ?? null} label="Language, as your coach judges it" size={72} />
    <Quiet>How well your grammar and your words served you, as your coach judges it.</Quiet>
  </Row>
);

export function Corrections(props: { feedback: Feedback | null; hasAnswered: boolean; isText: boolean }): ReactElement {
  const speaker = useSpeaker();
  const corrections = props.feedback?.corrections ?? [];
  const none = whyNoCorrections(props.feedback, props);
  if (none !== null) return <Quiet>{none}</Quiet>;
  return (
    <ul className={css['corrections']}>
      {corrections.map(({ said, better, why }) => (
        <li key={said} className={css['list']}>
          <p>
            You said <del>{said}</del>
          </p>
          <Row>
            <span>
              Better: <ins>{better}</ins>
            </span>
            <Button look="quiet" icon="speaker" onPress={() => void speaker.speak(better)}>
              Hear it
            </Button>
          </Row>
          <Quiet>{why}</Quiet>
        </li>
      ))}
    </ul>
  );
}
