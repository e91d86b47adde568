/** A coach's turn, which the learner can hear again, hear slowly, read or translate. */
import { t } from '@parley/i18n';
import type { CoachCard } from '@parley/contract';
import type { CoachTurn } from '@parley/domain';
import { Button, cx, IconButton, Portrait, typographic } from '@parley/ui';
import { type ReactElement, useState } from 'react';
import { useSpeaker } from '../../audio/index.ts';
import css from '../practice.module.css';
import { Translation } from './translation.tsx';

const SLOW_RATE = 0.7;

export const CoachName = ({ coach, hasPortrait }: { coach: CoachCard; hasPortrait: boolean }): ReactElement => (
  <div className={css['name']}>
    {hasPortrait && <Portrait name={coach.name} imageUrl={coach.avatarUrl} size={48} />}
    {coach.name}
  </div>
);

export function CoachBubble(props: {
  turn: CoachTurn;
  coach: CoachCard;
  showText: boolean;
  /** The line that is to be answered is larger. */
  isLast: boolean;
}): ReactElement {
  const { turn, coach } = props;
  const speaker = useSpeaker();
  const [isShown, setShown] = useState(props.showText);
  const isPlaying = speaker.playing === turn.text;
  // A turn without a dialogue node comes from a model coach.
  const speak = turn.node === null ? speaker.speakUtterance : speaker.speak;
  return (
    <div className={cx(css['turn'], props.isLast && css['now'])}>
      <CoachName coach={coach} hasPortrait={props.isLast} />
      <div>
        {isShown ? (
          <p className={css['coachUtterance']} lang="en">
            {typographic(turn.text)}
          </p>
        ) : (
          <p aria-hidden="true">• • •</p>
        )}
        {/* Only the line is announced, not the names of its buttons, which change while it plays. */}
        <div className={css['tools']} aria-live="off">
          <IconButton
            icon={isPlaying ? 'stop' : 'speaker'}
            label={isPlaying ? t('Stop') : t('Hear {name} again', { name: coach.name })}
            onPress={() => (isPlaying ? speaker.stop() : void speak(turn.text, coach.voice))}
          />
          <IconButton
            icon="slow"
            label={t('Hear it slowly')}
            onPress={() => void speak(turn.text, coach.voice, { rate: SLOW_RATE })}
          />
          <Button variant="quiet" onPress={() => setShown(!isShown)}>
            {isShown ? t('Hide the text') : t('Show the text')}
          </Button>
          <Translation text={turn.text} />
        </div>
      </div>
    </div>
  );
}
